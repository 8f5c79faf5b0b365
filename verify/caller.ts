import type { Anchors } from './anchors.ts';
import { afterFeeOf, isAfterFee } from './after-fee.ts';
import { commitmentOf } from './bytes.ts';
import type { CallerChain, EndedCall } from './chain.ts';
import { OPENING_TEXTS } from './entries.ts';
import { CACHE_MS, endedAt, figuresAt, isClose, leadsAt, statisticsAt } from './figures.ts';
import type { Log } from './log.ts';
import type { Reason, VerifyOptions } from './options.ts';
import type { IsLate } from './proven.ts';
import { count, Problem, type Report } from './report.ts';
import { isCount, isFlag, isText, listOf, objectOf, read, type Of } from './shapes.ts';
import { fetchPage, fetchPages, type Page } from './site.ts';

/** Until then, the site may not know yet that an entry is late. */
const LATE_KNOWN_MS = 60 * 60_000;
/** The site lists this many of the newest ended calls. */
const LISTED_CALLS = 200;
/** Shown instead of the name of a deleted account. */
const DELETED = 'Deleted caller';
/** Shown instead of a text that operators have hidden. */
const HIDDEN_TEXT = /^Hidden by [\w.-]+$/;
/** Figures in which a late gain counts less. */
const DEPENDS_ON_TIMES = /^(proven|gainUsd|monthUsd|paysFromUsd)$/;
const SKIPPED = 'Proven or After the fee wasn’t compared, because it depends on the times.';

export interface Context {
  readonly options: VerifyOptions;
  readonly log: Log;
  readonly anchors: Anchors;
  readonly report: Report;
  readonly texts: Map<string, Texts>;
}

export const isSiteCaller = objectOf({
  id: isText,
  twitterHandle: isText,
  firstName: isText,
  lastName: isText,
});
/** A caller in the site's responses. The figures are compared by name. */
export type SiteCaller = Of<typeof isSiteCaller> & Readonly<Record<string, unknown>>;

export interface CallerPages {
  readonly caller: SiteCaller;
  readonly profile: Page;
  readonly statistics: Page;
  readonly calls: Page;
}

/** In ASCII only: JavaScript takes some other letters for ASCII ones. */
const lowerCase = (handle: string) => handle.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** Reads what the site shows of a caller. @param name a handle or an id */
export async function fetchCaller({ get }: VerifyOptions, name: string): Promise<CallerPages> {
  const profile = await fetchPage(get, `/api/callers/${encodeURIComponent(name)}`);
  const caller = read(profile.value, isSiteCaller, 'The profile') as SiteCaller;
  if (caller.id !== name && lowerCase(caller.twitterHandle) !== lowerCase(name)) {
    throw new Problem('name_differs', `The site shows @${caller.twitterHandle} instead of ${name}.`);
  }
  const statistics = await fetchPage(get, `/api/callers/${caller.id}/statistics`);
  return { caller, profile, statistics, calls: await fetchPage(get, `/api/token-calls/caller/${caller.id}`) };
}

/** The size of the log that a page is compared with. */
export function sizeOf({ log, options }: Context, { size }: Page): number {
  // Compared at its own size, an old page could hide newer entries.
  const isOld = options.now - (log.timeFrom(size) ?? options.now) > CACHE_MS;
  return isOld ? log.size : Math.min(size, log.size);
}

/** Reports a difference, unless the page is newer than the log. */
export const differIn =
  ({ log, report }: Context, { size }: Page) =>
  (reason: Reason, message: string): void => {
    if (size > log.size) report.isLater = true;
    else report.fail(reason, message);
  };

interface Compared {
  readonly shown: unknown;
  /** The values that the site may show, the log's first. */
  readonly possible: readonly unknown[];
  readonly differ: (message: string, name: string, logged: unknown) => void;
}

/** Compares each member that the log gives, also of nested objects, with the one that the site shows. */
export function compareMembers({ shown, possible, differ }: Compared, prefix = ''): void {
  for (const [name, logged] of Object.entries<unknown>(Object(possible[0]))) {
    const memberOf = (each: unknown): unknown => Reflect.get(Object(each), name);
    const nested = { shown: memberOf(shown), possible: possible.map(memberOf), differ };
    if (typeof logged === 'object' && logged !== null) {
      compareMembers(nested, `${prefix}${name} `);
      continue;
    }
    if (nested.possible.some((each) => isClose(nested.shown, each))) continue;
    const [site, log] = [describe(nested.shown), describe(logged)];
    const label = `${prefix}${name}`.replace(/[A-Z]/g, ' $&').replace(/^./, (first) => first.toUpperCase());
    const message = `the site shows ${label} ${shorten(site, log)}, the log gives ${shorten(log, site)}`;
    differ(message, name, logged);
  }
}

function describe(value: unknown = null): string {
  if (value === null) return '–';
  return typeof value === 'object' ? 'something unreadable' : String(value);
}

/** Cuts numbers to two decimals, unless both texts would then be equal. */
function shorten(text = '', other = ''): string {
  const short = (value: string) => value.replace(/(\.\d\d)\d+$/, '$1');
  return short(text) === short(other) ? text : short(text);
}

export async function checkTimes({ anchors }: Context, { ended }: CallerChain): Promise<void> {
  for (const { openIndex, openedAt, endIndex, endedAt: time } of ended.values()) {
    await anchors.check([
      { index: openIndex, time: openedAt },
      { index: endIndex, time },
    ]);
  }
}

/** True if entries may be late without being known as such. */
export const hasUnknownTimes = ({ isConfirmed, unread }: Anchors, { ended }: CallerChain): boolean =>
  !isConfirmed ||
  [...ended.values()].some(({ openIndex, endIndex }) => unread.has(openIndex) || unread.has(endIndex));

/** Compares the figures that the site shows in a profile or list. The times must have been checked. */
export function compareFigures(context: Context, page: Page, shown: SiteCaller): void {
  const { anchors, log, options, report } = context;
  const chain = log.chains.get(shown.id);
  const differ = differIn(context, page);
  const whose = `@${shown.twitterHandle}`;
  if (chain === undefined) return differ('call_missing', `The log has no entries of ${whose}.`);
  const isLate: IsLate = (index) => anchors.late.has(index);
  const isKnownLate: IsLate = (index, time) => isLate(index, time) && options.now - time > LATE_KNOWN_MS;
  const afterFee = read(shown['afterFee'], isAfterFee, 'After the fee');
  const size = sizeOf(context, page);
  const leads = leadsAt(chain, size, shown['proven'], options.now);
  const figuresIf = (isLateThen: IsLate, isLeading?: boolean) => {
    const { counted, activeCallCount, ...figures } = figuresAt(chain, size, isLateThen);
    const ofProfile = Array.isArray(page.value) ? {} : { activeCallCount };
    return { ...figures, ...ofProfile, isLeading, afterFee: afterFeeOf(counted, afterFee, options.now) };
  };
  compareMembers({
    shown,
    possible: [figuresIf(isLate, leads[0]), figuresIf(isKnownLate, leads.at(-1))],
    differ: (message, name, logged) => {
      const mayDiffer = logged === null ? name === 'paysFromUsd' : DEPENDS_ON_TIMES.test(name);
      if (mayDiffer && hasUnknownTimes(anchors, chain)) report.unconfirmed.add(SKIPPED);
      else differ('figure_differs', `${whose}: ${message}.`);
    },
  });
}

export async function checkCaller(context: Context, pages: CallerPages): Promise<void> {
  const { log, report } = context;
  const { caller, profile, statistics, calls } = pages;
  const whose = `@${caller.twitterHandle}`;
  const chain = log.chains.get(caller.id);
  await report.check(`The figures of ${whose} are those of the log`, () => {
    compareFigures(context, profile, caller);
    if (chain !== undefined) compareStatistics(context, statistics, chain);
  });
  if (chain === undefined) return;
  await report.check(`The name, texts and calls of ${whose} are those of the log`, async () => {
    const texts = await readTexts(context, chain);
    const withdrawn = [...chain.texts.keys()].filter((key) => !texts.has(key)).length;
    if (withdrawn > 0) report.notes.add(`${count(withdrawn, 'text')} of ${chain.id}: withdrawn by the site.`);
    checkIdentity(context, { page: profile, chain, texts });
    compareCalls(context, { page: calls, chain, texts });
    compareName(context, { page: profile, chain, texts, caller });
  });
}

function compareStatistics(context: Context, page: Page, chain: CallerChain): void {
  const { log, options } = context;
  const differ = differIn(context, page);
  compareMembers({
    shown: page.value,
    // The site's clock may differ from this device's, and the site reads the calls shortly after it reads the log's
    // size.
    possible: [sizeOf(context, page), log.size].flatMap((size) =>
      [0, -CACHE_MS, CACHE_MS].map((shift) => statisticsAt(chain, size, options.now + shift)),
    ),
    differ: (message) => differ('figure_differs', `Statistics: ${message}.`),
  });
}

export type Texts = ReadonlyMap<string, string>;
const isTexts = listOf(objectOf({ number: isCount, name: isText, salt: isText, text: isText }));

/**
 * Reads the public texts, and compares each with its commitment.
 * @param nameNumber the entry number of a name, to read only the page with this name
 */
export async function readTexts(
  { options, report, texts: known }: Context,
  chain: CallerChain,
  nameNumber?: number,
): Promise<Texts> {
  const before = known.get(chain.id);
  if (before !== undefined) return before;
  const texts = new Map<string, string>();
  known.set(chain.id, texts);
  const path = `/log/texts/${chain.id}`;
  const pages =
    nameNumber === undefined
      ? await fetchPages(options.get, path, false)
      : [await fetchPage(options.get, `${path}?after=${nameNumber - 1}`, false)];
  for (const { value } of pages) {
    for (const { number, name, salt, text } of read(value, isTexts, 'The texts')) {
      const key = `${number} ${name}`;
      const commitment = chain.texts.get(key);
      // The site may know a newer name or end.
      if (number > chain.number) continue;
      if (chain.sealed.has(number)) report.isLater = true;
      else if (commitment === undefined && chain.newer.has(number)) continue;
      else if (commitmentOf(salt, text) === commitment) texts.set(key, text);
      else report.fail('text_differs', `The ${name} of entry ${number} isn’t the one that was logged.`);
    }
  }
  return texts;
}

interface Shown {
  readonly page: Page;
  readonly chain: CallerChain;
  readonly texts: Texts;
}

/** Checks that all names are served, and belong to one account on X. A deletion erases the names before it. */
function checkIdentity(context: Context, { page, chain, texts }: Shown): void {
  const { report } = context;
  const { names, deletions } = chain;
  const ids = new Set([...texts].filter(([key]) => key.endsWith(' xId')).map(([, id]) => id));
  if (ids.size > 1) report.fail('identity_changed', `The record belongs to ${[...ids].join(' and ')} on X.`);
  const deletedAt = deletions.at(-1) ?? -1;
  const named = names.filter(({ index }) => index > deletedAt);
  for (const name of named) checkServed(context, { page, chain, texts }, name);
  if (deletedAt < 0 || named.length === 0) return;
  report.notes.add('The account was deleted and came back: that it’s the same one on X isn’t proved.');
}

function checkServed(
  context: Context,
  { page, chain, texts }: Shown,
  { index, number }: CallerChain['names'][number],
): void {
  const { log, options, report } = context;
  if (['handle', 'name', 'xId'].every((name) => texts.has(`${number} ${name}`))) return;
  // A cached response may lack a new name, or be older than a deletion.
  const isNew = options.now - (log.timeFrom(index) ?? 0) < CACHE_MS;
  if (isNew || chain.deletions.some((deletion) => deletion > index)) report.isLater = true;
  else differIn(context, page)('name_differs', 'The site doesn’t serve each name that was logged.');
}

/** Compares the list of calls. Active calls are only in the lists of subscribers, and the check has no account. */
function compareCalls(context: Context, { page, chain, texts }: Shown): void {
  const { report } = context;
  const differ = differIn(context, page);
  const list = read(page.value, listOf(objectOf({ id: isText, isActive: isFlag })), 'The list of calls');
  const shown = new Map(list.map((call) => [call.id, call]));
  if (shown.size < list.length) report.fail('call_missing', 'A call is shown twice.');
  const isOpen = list.some(({ isActive }) => isActive);
  if (isOpen) report.fail('call_missing', 'A call is shown as active to everybody.');
  for (const call of endedAt(chain, sizeOf(context, page)).slice(0, LISTED_CALLS)) {
    const name = `The call ${call.call} on ${call.symbol}`;
    const found = shown.get(call.call) as Record<string, unknown> | undefined;
    shown.delete(call.call);
    if (found === undefined) {
      differ('call_missing', `${name} isn’t shown.`);
      continue;
    }
    compareMembers({
      shown: found,
      possible: [shownCall(call, chain)],
      differ: (message) => differ('call_differs', `${name}: ${message}.`),
    });
    for (const member of OPENING_TEXTS) {
      const logged = texts.get(`${call.openNumber} ${member}`);
      const text = found[member];
      if (isShownText(text, logged)) continue;
      const message = `${name}: the site shows a ${member} that isn’t the one that was logged.`;
      const isMissing = logged === undefined ? call[member] !== null : isHiddenText(text);
      if (isMissing && isNewlyShown(context, chain, call)) report.isLater = true;
      else differ('text_differs', message);
    }
  }
  for (const id of shown.keys()) differ('call_missing', `The call ${id} is shown, but isn’t in the log.`);
}

/**
 * True if a cached response may still lack the call's texts or still have them, because they were published or
 * withdrawn a moment ago.
 */
function isNewlyShown({ options, log }: Context, chain: CallerChain, { call, endedAt }: EndedCall): boolean {
  const deletedAt = log.timeFrom(chain.deletions.at(-1) ?? log.size) ?? 0;
  return options.now - Math.max(endedAt, deletedAt, chain.acts.get(call) ?? 0) < CACHE_MS;
}

const isHiddenText = (text: unknown): boolean => isText(text) && HIDDEN_TEXT.test(text);

const isShownText = (text: unknown, logged: string | undefined): boolean =>
  text === null || text === undefined || text === logged || (logged === undefined && isHiddenText(text));

const shownCall = (call: EndedCall, { id }: CallerChain) => ({
  callerId: id,
  tokenMint: call.mint,
  tokenSymbol: call.symbol,
  entryPrice: call.entryPrice,
  endPrice: call.endPrice,
  callTimestamp: new Date(call.openedAt).toISOString(),
  endTimestamp: new Date(call.endedAt).toISOString(),
  changePercent: call.change,
  targetPrice: call.target,
  stopPrice: call.stop,
  isPaidPromotion: call.isPaidPromotion,
  unrankedReason: call.unranked,
  uncountedGainReason: call.uncounted,
  automaticEnd: call.automatic,
});

export function compareName(
  context: Context,
  { page, chain, texts, caller }: Shown & { caller: SiteCaller },
): void {
  const { report } = context;
  const size = sizeOf(context, page);
  const differ = differIn(context, page);
  const named = chain.names.findLast(({ index }) => index < size);
  if (named === undefined) return differ('name_differs', 'The log has no name of this caller.');
  if (chain.deletions.some((index) => index < size && index > named.index)) {
    const isShownDeleted =
      caller.twitterHandle === `deleted-${chain.id}` && `${caller.firstName}${caller.lastName}` === DELETED;
    if (!isShownDeleted) differ('name_differs', 'The account was deleted, but the site shows a name.');
    return void report.notes.add(`The account ${chain.id} was deleted, so its name isn’t known.`);
  }
  checkServed(context, { page, chain, texts }, named);
  const [handle, name] = [texts.get(`${named.number} handle`), texts.get(`${named.number} name`)];
  if (handle === undefined || name === undefined) return;
  if (handle !== caller.twitterHandle) {
    differ('name_differs', `This record is of @${handle}, not of @${caller.twitterHandle}.`);
  }
  // A caller without a name on X is logged with the handle.
  const shown = `${caller.firstName} ${caller.lastName}`.trim();
  if (shown === '' ? ['Unnamed', `@${handle}`].includes(name) : shown === name) return;
  differ('name_differs', `This record is of ${name}, but the site shows ${shown || 'no name'}.`);
}
