import { commitmentOf } from './bytes.ts';
import { endedAt, figuresAt, isClose, isRanked, windowAt, type Figures, type IsLate } from './figures.ts';
import type { Anchors } from './anchors.ts';
import type { CallerChain, EndedCall } from './chain.ts';
import type { Log } from './log.ts';
import type { Reason, VerifyOptions } from './options.ts';
import { count, Problem, type Report } from './report.ts';
import { isCount, isFlag, isListOf, isNumber, isText, nullable, objectOf, read } from './shapes.ts';
import { fetchPage, fetchSite, type SiteResponse } from './site.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Caches serve older responses for at most this long. */
const CACHE_MS = 10 * MINUTE_MS;
/** Until then, the site may not know yet that an entry is late. */
const LATE_KNOWN_MS = 60 * MINUTE_MS;
/** The site lists this many of the newest ended calls. */
const LISTED_CALLS = 200;
/** Shown instead of a text that was hidden. */
const HIDDEN_TEXT = /^Hidden by \S+$/;

export interface Context {
  readonly options: VerifyOptions;
  readonly log: Log;
  /** Null if times are unconfirmed. */
  readonly anchors: Anchors | null;
  readonly report: Report;
}

/** A caller in the site's responses. The figures are compared by name. */
export interface SiteCaller extends Readonly<Record<string, unknown>> {
  readonly id: string;
  readonly twitterHandle: string;
  readonly firstName: string;
  readonly lastName: string;
}

export const isSiteCaller = objectOf({
  id: isText,
  twitterHandle: isText,
  firstName: isText,
  lastName: isText,
});

export interface CallerResponses {
  readonly caller: SiteCaller;
  readonly profile: SiteResponse;
  readonly statistics: SiteResponse;
  readonly calls: SiteResponse;
}

/** Reads what the site shows of a caller. @param name a handle or an id */
export async function fetchCaller({ get }: VerifyOptions, name: string): Promise<CallerResponses> {
  const profile = await fetchSite(get, `/api/callers/${encodeURIComponent(name)}`);
  const caller = read<SiteCaller>(profile.value, isSiteCaller, 'The profile');
  if (
    ![caller.id, caller.twitterHandle.toLowerCase()].includes(name === caller.id ? name : name.toLowerCase())
  ) {
    throw new Problem('name_differs', `The site shows @${caller.twitterHandle} instead of ${name}.`);
  }
  const [statistics, calls] = await Promise.all([
    fetchSite(get, `/api/callers/${caller.id}/statistics`),
    fetchSite(get, `/api/token-calls/caller/${caller.id}`),
  ]);
  return { caller, profile, statistics, calls };
}

/** The size of the log that a response is compared with. */
export function comparedSize({ log, options }: Context, { size }: Pick<SiteResponse, 'size'>): number {
  // An old response would hide what was logged since.
  const isOld = options.now - (log.timeFrom(size) ?? options.now) > CACHE_MS;
  return isOld ? log.size : Math.min(size, log.size);
}

type Differ = (reason: Reason, message: string) => void;

/** Reports a difference, unless the response is newer than the log. */
export const differIn =
  ({ log, report }: Context, { size }: Pick<SiteResponse, 'size'>): Differ =>
  (reason, message) => {
    if (size > log.size) report.isLater = true;
    else report.fail(reason, message);
  };

/** The calls' times that the anchors prove. */
export async function checkTimes({ anchors }: Pick<Context, 'anchors'>, chain: CallerChain): Promise<void> {
  const calls = [...chain.ended.values()];
  await anchors?.check(
    calls.flatMap(({ openIndex, openedAt, endIndex, endedAt: time }) => [
      { index: openIndex, time: openedAt },
      { index: endIndex, time },
    ]),
  );
}

/** Compares figures that the site shows with those of the log. Anchors must have been checked. */
export function compareFigures(context: Context, response: SiteResponse, shown: SiteCaller): Figures | null {
  const { anchors, log, options, report } = context;
  const chain = log.chains.get(shown.id);
  const differ = differIn(context, response);
  const whose = `@${shown.twitterHandle}`;
  if (chain === undefined) {
    differ('call_missing', `The log has no entries of ${whose}.`);
    return null;
  }
  const size = comparedSize(context, response);
  const isLate: IsLate = (index) => anchors?.late.has(index) ?? false;
  const isKnownLate: IsLate = (index, time) => isLate(index, time) && options.now - time > LATE_KNOWN_MS;
  const figures = figuresAt(chain, size, isLate);
  for (const [name, value] of Object.entries(figures)) {
    // The directory has no activeCallCount.
    if (!(name in shown) || isClose(shown[name], value)) continue;
    if (name === 'proven') {
      if (isClose(shown['proven'], figuresAt(chain, size, isKnownLate).proven)) continue;
      if (anchors === null && typeof shown['proven'] === typeof value) {
        report.note('Proven wasn’t compared, because it depends on the times.');
        continue;
      }
    }
    differ(
      'figure_differs',
      `${whose}: the site shows ${name} ${show(shown[name])}, the log gives ${show(value)}.`,
    );
  }
  return figures;
}

const show = (value: unknown) => (value === null || value === undefined ? 'nothing' : String(value));

/** Compares everything that the site shows of a caller with the log. */
export async function checkCaller(context: Context, responses: CallerResponses): Promise<void> {
  const { log, report } = context;
  const { caller, profile, statistics, calls } = responses;
  const chain = log.chains.get(caller.id);
  await report.check(`The figures of @${caller.twitterHandle} are those of the log`, () => {
    compareFigures(
      context,
      profile,
      read(caller, objectOf({ totalCalls: isCount, proven: nullable(isNumber) }), 'The profile'),
    );
    if (chain !== undefined) compareStatistics(context, statistics, chain);
  });
  if (chain === undefined) return;
  const texts = new Map<string, string>();
  await report.check(`The texts of @${caller.twitterHandle} are those that were logged`, () =>
    readTexts(context, chain, texts),
  );
  await report.check(`The calls of @${caller.twitterHandle} are those of the log`, () =>
    compareCalls(context, { response: calls, chain, texts }),
  );
  await report.check(`The handle and the name of @${caller.twitterHandle} are those of the log`, () =>
    compareName(context, { response: profile, chain, texts, caller }),
  );
}

function compareStatistics(context: Context, response: SiteResponse, chain: CallerChain): void {
  const { now } = context.options;
  const size = comparedSize(context, response);
  const differ = differIn(context, response);
  const isWindows = objectOf({
    windows: objectOf({ all: objectOf({}), '30d': objectOf({}), '90d': objectOf({}) }),
  });
  const shown = read<{ windows: Record<string, Record<string, unknown>> }>(
    response.value,
    isWindows,
    'The statistics',
  );
  const newest = endedAt(chain, size).slice(0, 5_000);
  const counts = {
    unrankedCalls: newest.filter((call) => !isRanked(call)).length,
    microCapCalls: newest.filter(({ unranked }) => unranked === 'micro_cap').length,
    uncountedGains: newest.filter((call) => isRanked(call) && call.uncounted !== null).length,
  };
  const compare = (
    where: string,
    site: Record<string, unknown>,
    options: readonly Record<string, unknown>[],
  ) => {
    const differences = options.map((values) =>
      Object.entries(values).filter(([name, value]) => !isClose(site[name], value)),
    );
    if (differences.some((names) => names.length === 0)) return;
    for (const [name, value] of differences[0] ?? []) {
      differ(
        'figure_differs',
        `${where}: the site shows ${name} ${show(site[name])}, the log gives ${show(value)}.`,
      );
    }
  };
  compare('Statistics', shown as Record<string, unknown>, [counts]);
  for (const [name, days] of [
    ['30d', 30],
    ['90d', 90],
    ['all', Infinity],
  ] as const) {
    // The site's clock differs from this one, and a response may be cached.
    const starts = [0, -CACHE_MS, CACHE_MS].map((shift) => now + shift - days * DAY_MS);
    compare(
      `Statistics (${name})`,
      shown.windows[name] ?? {},
      starts.map((since) => windowAt(chain, size, since)),
    );
  }
}

type Texts = Map<string, string>;

/** Reads the public texts, and compares each with its commitment. */
async function readTexts({ options, log, report }: Context, chain: CallerChain, texts: Texts): Promise<void> {
  const isTexts = isListOf(objectOf({ number: isCount, name: isText, salt: isText, text: isText }));
  type Served = readonly { number: number; name: string; salt: string; text: string }[];
  for (let path: string | null = `/log/texts/${chain.id}?after=0`; path !== null;) {
    const page: Awaited<ReturnType<typeof fetchPage>> = await fetchPage(options.get, path);
    for (const { number, name, salt, text } of read<Served>(page.value, isTexts, 'The texts')) {
      // The site may know newer entries.
      if (number > chain.number) continue;
      const key = `${number} ${name}`;
      if (commitmentOf(salt, text) === chain.texts.get(key)) texts.set(key, text);
      else report.fail('text_differs', `The ${name} of entry ${number} isn't the one that was logged.`);
    }
    path = page.next;
  }
  const ids = new Set([...texts].filter(([key]) => key.endsWith(' xId')).map(([, id]) => id));
  if (ids.size > 1) {
    report.fail('identity_changed', `The record belongs to the accounts ${[...ids].join(' and ')} on X.`);
  }
  const isRecent = (key: string) => {
    const named = chain.names.find(({ number }) => key.startsWith(`${number} `));
    return options.now - ((named && log.timeFrom(named.index)) ?? 0) < CACHE_MS;
  };
  const withdrawn = [...chain.texts.keys()].filter((key) => !texts.has(key) && !isRecent(key));
  if (withdrawn.length > 0) report.note(`${count(withdrawn.length, 'text')} withdrawn by the site.`);
}

interface Compared {
  readonly response: SiteResponse;
  readonly chain: CallerChain;
  readonly texts: Texts;
}

const isShownCall = objectOf({ id: isText, isActive: isFlag });

/** Compares the list of ended calls. Active calls are only in the lists of subscribers. */
function compareCalls(context: Context, { response, chain, texts }: Compared): void {
  const differ = differIn(context, response);
  const size = comparedSize(context, response);
  const list = read<Record<string, unknown>[]>(response.value, isListOf(isShownCall), 'The list of calls');
  const shown = new Map(list.filter(({ isActive }) => !isActive).map((call) => [call['id'], call]));
  const logged = endedAt(chain, size).slice(0, LISTED_CALLS);
  for (const call of logged) {
    const found = shown.get(call.call);
    shown.delete(call.call);
    if (found === undefined) {
      differ('call_missing', `The site doesn't show the call ${call.call} on ${call.symbol}.`);
    } else
      compareCall(differ, {
        shown: found,
        call,
        texts,
        isNew: context.options.now - call.endedAt < CACHE_MS,
      });
  }
  for (const id of shown.keys())
    differ('call_missing', `The site shows the call ${id}, which the log doesn't have.`);
}

const timestamp = (time: number) => new Date(time).toISOString();

interface ComparedCall {
  readonly shown: Readonly<Record<string, unknown>>;
  readonly call: EndedCall;
  readonly texts: Texts;
  /** Its texts may not be in a cached response yet. */
  readonly isNew: boolean;
}

function compareCall(differ: Differ, { shown, call, texts, isNew }: ComparedCall): void {
  const expected = {
    ...{
      tokenMint: call.mint,
      tokenSymbol: call.symbol,
      entryPrice: call.entryPrice,
      endPrice: call.endPrice,
    },
    ...{ callTimestamp: timestamp(call.openedAt), endTimestamp: timestamp(call.endedAt) },
    ...{ changePercent: call.change, targetPrice: call.target, stopPrice: call.stop },
    ...{ isPaidPromotion: call.isPaidPromotion, unrankedReason: call.unranked },
    ...{ uncountedGainReason: call.uncounted, automaticEnd: call.automatic },
  };
  const name = `The call ${call.call} on ${call.symbol}`;
  for (const [member, value] of Object.entries(expected)) {
    if (isClose(shown[member], value)) continue;
    differ(
      'call_differs',
      `${name}: the site shows ${member} ${show(shown[member])}, the log gives ${show(value)}.`,
    );
  }
  const thesis = shown['thesis'] ?? null;
  if (thesis === null || HIDDEN_TEXT.test(String(thesis)) || (isNew && call.thesis !== null)) return;
  if (thesis === texts.get(`${call.openNumber} thesis`)) return;
  differ('text_differs', `${name}: the site shows a thesis that isn't the one that was logged.`);
}

/** Compares the name with the newest one of the log. */
function compareName(
  context: Context,
  { response, chain, texts, caller }: Compared & { caller: SiteCaller },
): void {
  const { log, options, report } = context;
  const size = comparedSize(context, response);
  const differ = differIn(context, response);
  const named = chain.names.findLast(({ index }) => index < size);
  if (named === undefined) return differ('name_differs', 'The log has no name of this caller.');
  if ((chain.deletions.findLast((index) => index < size) ?? -1) > named.index) {
    return report.note(`The account ${chain.id} was deleted, so its name isn’t known.`);
  }
  const [handle, name] = [texts.get(`${named.number} handle`), texts.get(`${named.number} name`)];
  if (handle === undefined || name === undefined) {
    if (options.now - (log.timeFrom(named.index) ?? 0) < CACHE_MS) report.isLater = true;
    else differ('name_differs', 'The site doesn’t serve the name that was logged.');
    return;
  }
  if (handle !== caller.twitterHandle) {
    differ('name_differs', `This record is of @${handle}, not of @${caller.twitterHandle}.`);
  }
  // A caller without a name on X is logged with the handle.
  const shown = `${caller.firstName} ${caller.lastName}`.trim();
  if (shown === '' ? !['Unnamed', `@${handle}`].includes(name) : shown !== name) {
    differ('name_differs', `This record is of ${name}, but the site shows ${shown || 'no name'}.`);
  }
}
