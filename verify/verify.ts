import { createUnconfirmed, readAnchors } from './anchors.ts';
import { checkCaller, checkTimes, fetchCaller } from './caller.ts';
import type { CallerPages, Context } from './caller.ts';
import { checkDue, isMarkOf, type CallerChain } from './chain.ts';
import { checkList, fetchList, isUnlisted, type ListPage } from './leaderboard.ts';
import { openLog, remember, type Log } from './log.ts';
import type { Target, Verdict, VerifyOptions } from './options.ts';
import { checkQuotes } from './quotes.ts';
import { count, isAborted, Later, Problem, Report, Untrusted } from './report.ts';

export type { Progress, Reason, Target, Verdict, VerifyOptions } from './options.ts';
export type { CallRpc, Store } from './store.ts';

const UNPROVED = [
  'Not proved – Prices: the quotes are what the site says it received.',
  'Not proved – The minute: a time is proved only to within 15 minutes, which can be a large gain on a small token.',
  'Not proved – Peaks, wallets, subscribers, market caps, prices of active calls, Member since, and Suspended on a profile: the check doesn’t compare them.',
  'Not proved – The fee, in SOL and USD, and SOL’s price now: the site’s word, on which After the fee, its percentage and its order depend.',
  'Not proved – That no call was refused: a call that the site didn’t log leaves no trace.',
];

/** An entry is published within two minutes. */
const [WAITS, WAIT_MS] = [14, 10_000];

interface Shown {
  readonly callers: readonly CallerPages[];
  readonly list: readonly ListPage[];
}

/**
 * Verifies one caller, a list of the directory, or everything. Problems are in the verdict; throws only on errors of
 * its own, or when aborted.
 */
export async function verify(options: VerifyOptions): Promise<Verdict> {
  const startedAt = Date.now();
  let report = new Report();
  let [log, headlines, isUntrusted]: [Log | null, string[], boolean] = [null, [], false];
  try {
    // Fetch the pages before the log, so that the log is newer.
    const shown = await fetchShown(options);
    ({ log, report } = await openNewLog(options, shown, startedAt));
    const context = await checkLog({ options, log, anchors: createUnconfirmed(), report, texts: new Map() });
    await compare(context, shown);
    await checkRules(context, shown);
    headlines = describe(context, shown);
    if (report.failures.length === 0) await remember(options, log, report.isLater);
  } catch (error) {
    if (error instanceof Problem) report.fail(error.reason, error.message);
    else if (error instanceof Later) report.isLater = true;
    else if (error instanceof Untrusted) [headlines, isUntrusted] = [[error.message], true];
    else if (report.failures.length === 0 || isAborted(error)) throw error;
  }
  const outcome = isUntrusted ? 'untrusted' : outcomeOf(report);
  const isDescribed = isUntrusted || outcome === 'verified' || outcome === 'unconfirmed';
  return {
    outcome,
    headlines: isDescribed ? headlines : [],
    failures: report.failures,
    checked: report.checked,
    notes: [
      ...report.notes,
      ...(isDescribed ? [] : [...report.unconfirmed, ...report.warnings]),
      ...(report.requests > 0 ? [`The Solana endpoint got ${count(report.requests, 'request')}.`] : []),
      ...UNPROVED,
    ],
    key: log?.key.text ?? null,
    wallet: log?.wallet ?? null,
  };
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Opens the log. If pages are newer and differ from it, waits until it's published up to the size that they name. */
async function openNewLog(options: VerifyOptions, shown: Shown, startedAt: number) {
  const pages = shown.callers.flatMap(({ profile, statistics, calls }) => [profile, statistics, calls]);
  const named = Math.max(...[...pages, ...shown.list].map(({ size }) => size), 0);
  for (let waits = 0; ; waits += 1) {
    const report = new Report();
    // Reading the pages may have taken minutes.
    const log = await openLog({ ...options, now: options.now + Date.now() - startedAt }, report);
    if (named <= log.size || waits === WAITS) return { log, report };
    const trial = new Report();
    await compare({ options, log, anchors: createUnconfirmed(), report: trial, texts: new Map() }, shown);
    if (!trial.isLater) return { log, report };
    options.onProgress({ step: 'Waiting for the log', done: waits, total: WAITS });
    await (options.wait ?? pause)(WAIT_MS);
  }
}

function outcomeOf(report: Report): Verdict['outcome'] {
  const { failures, isLater, unconfirmed, newer } = report;
  if (failures.some(({ reason }) => reason !== 'unavailable')) return 'failed';
  if (failures.length > 0) return 'unavailable';
  if (isLater) return 'later';
  return unconfirmed.size > 0 || newer > 0 ? 'unconfirmed' : 'verified';
}

async function fetchShown(options: VerifyOptions): Promise<Shown> {
  const { target, onProgress } = options;
  if (target.kind === 'caller') return { callers: [await fetchCaller(options, target.handle)], list: [] };
  const list = await fetchList(options, target.kind === 'all' ? null : target.paths);
  const ids = target.kind === 'all' ? list.flatMap(({ rows }) => rows.map(({ id }) => id)) : [];
  const callers: CallerPages[] = [];
  for (const id of ids) {
    onProgress({ step: 'Reading callers', done: callers.length, total: ids.length });
    callers.push(await fetchCaller(options, id));
  }
  return { callers, list };
}

/** Checks the log by itself: its anchors, and whether entries that are due are there. */
async function checkLog(context: Context): Promise<Context> {
  const { options, log, report } = context;
  const { size, key, chains } = log;
  const { now } = options;
  report.checked.push(`${key.name} has signed a log of ${size.toLocaleString('en-US')} entries`);
  const anchors = await readAnchors(options, log, report);
  const loggedBy = (index: number) => {
    const times = [log.timeFrom(index + 1), anchors.loggedBy(index)].filter((time) => time != null);
    return times.length === 0 ? null : Math.min(...times);
  };
  for (const chain of chains.values()) checkDue(chain, { now, loggedBy, report });
  if (report.failures.length === 0) {
    report.checked.push('The entries fit together, and each call is what was sealed when it was opened');
    if (report.unconfirmed.size + report.warnings.size === 0) {
      report.checked.push('No anchor on Solana contradicts the log');
    }
  }
  return { ...context, anchors };
}

async function compare(context: Context, { callers, list }: Shown): Promise<void> {
  const { options, log, report } = context;
  const { target, onProgress } = options;
  for (const [done, pages] of callers.entries()) {
    onProgress({ step: 'Comparing callers', done, total: callers.length });
    const chain = log.chains.get(pages.caller.id);
    if (chain !== undefined) await checkTimes(context, chain);
    await checkCaller(context, pages);
  }
  if (target.kind === 'caller') return;
  const order = target.kind === 'all' ? ({ sort: 'avgReturn', order: 'desc' } as const) : target;
  await report.check('The list has the right order, and nobody is missing', () =>
    checkList(context, list, order),
  );
  const unlisted = [...log.chains.values()].filter((chain) => isUnlisted(chain, log.size)).length;
  if (unlisted > 0) {
    report.notes.add(`Suspended or deleted callers aren’t listed: the log has ${unlisted}.`);
  }
}

/** The records of the callers that the site shows. */
function chainsOf({ log }: Context, { callers, list }: Shown): CallerChain[] {
  const shown = [...callers.map(({ caller }) => caller), ...list.flatMap(({ rows }) => rows)];
  return [...new Set(shown.map(({ id }) => id))].flatMap((id) => log.chains.get(id) ?? []);
}

/** Checks rules that harm or spare a caller, where there is evidence. */
async function checkRules(context: Context, shown: Shown): Promise<void> {
  const { log, report } = context;
  const chains = chainsOf(context, shown);
  for (const chain of chains) await checkQuotes(context, chain);
  const wasPriced = (at: number) => log.solSeen.some((seenAt) => isMarkOf(at, seenAt));
  const gaps = chains
    .flatMap(({ ended }) => [...ended.values()])
    .filter(({ unranked, unpriced }) => unranked === null && unpriced.some(wasPriced)).length;
  if (gaps === 0) return;
  const have = gaps === 1 ? 'has' : 'have';
  report.warnings.add(
    `${count(gaps, 'call')} ${have} no price of SOL a minute later, though the log has one from that minute: only our word says why.`,
  );
}

/** At most three sentences for traders, and doubts. */
function describe(context: Context, shown: Shown): string[] {
  const { options, report } = context;
  const chains = chainsOf(context, shown);
  const calls = chains.reduce((sum, { openings }) => sum + openings.length, 0);
  const sealed = calls - chains.reduce((sum, { ended }) => sum + ended.size, 0);
  const { kind } = options.target;
  const many = `${kind === 'caller' ? '' : `${count(chains.length, 'caller')}, `}${count(calls, 'call')}`;
  if (calls === 0) return [`${many}. There is nothing to prove yet.`, ...report.unconfirmed];
  const times = describeTimes(chains, context);
  const result = describeResult(kind, report, calls === 1 ? 'fits' : 'fit');
  const lines = [
    `${many}${result}`,
    ...report.unconfirmed,
    ...describeNewer(report),
    ...times,
    ...report.warnings,
  ];
  if (sealed > 0) lines.push(`${count(sealed, 'call')} ${sealed === 1 ? 'is' : 'are'} still sealed.`);
  return lines;
}

/** The end of the first headline. */
function describeResult(kind: Target['kind'], { unconfirmed, newer }: Report, fit: string): string {
  if (unconfirmed.size > 0) return ` that ${fit} together. Nobody outside has confirmed them yet.`;
  if (newer > 0) return ` that ${fit} together.`;
  return kind === 'leaderboard'
    ? '. The order is right, and nobody is missing.'
    : '. None missing, none changed.';
}

function describeNewer({ newer }: Report): string[] {
  if (newer === 0) return [];
  const many = newer === 1 ? '1 entry is' : `${newer.toLocaleString('en-US')} entries are`;
  return [`${many} newer than this verifier.`];
}

/** Adds to the report if none of the calls can be confirmed yet. */
function describeTimes(chains: readonly CallerChain[], { anchors, report }: Context): string[] {
  if (report.unconfirmed.size > 0) return [];
  const isLate = (index: number) => anchors.late.has(index);
  const isUnread = (index: number) => anchors.unread.has(index);
  const isNew = (index: number) => anchors.loggedBy(index) === null && !isLate(index);
  const calls = chains.flatMap(({ openings, ended }) => {
    const ends = new Map([...ended.values()].map(({ openIndex, endIndex }) => [openIndex, endIndex]));
    return openings.map((index) => [index, ends.get(index) ?? index]);
  });
  const late = calls.filter((indexes) => indexes.some(isLate)).length;
  const newest = calls.filter((indexes) => indexes.some(isNew)).length;
  const isKnown = (index: number) => isLate(index) || isNew(index);
  const unread = calls.filter((indexes) => indexes.some(isUnread) && !indexes.some(isKnown)).length;
  const confirmed = calls.length - late - newest - unread;
  const many = confirmed === calls.length ? 'each' : `${confirmed || 'none'} of them`;
  if (newest === calls.length) {
    report.unconfirmed.add('An anchor on Solana follows within minutes.');
    return [];
  }
  const lines = [`Solana confirms ${many} to within 15 minutes.`];
  if (late > 0) {
    const delay = Math.max(...calls.flat().map((index) => anchors.late.get(index) ?? 0));
    const whose = late === 1 ? 'its time and gain' : 'their times and gains';
    const isDoubted = calls.flat().some((index) => isLate(index) && isUnread(index));
    const fault = isDoubted ? 'our fault unless the Solana endpoint lacks anchors' : 'our fault';
    lines.push(`${late} came late, by up to ${formatDelay(delay)}: ${fault}, and ${whose} can’t be proved.`);
  }
  if (unread > 0) {
    lines.push(
      `${unread} can’t be confirmed: this verifier can’t read the kind of transaction of an anchor.`,
    );
  }
  if (newest > 0) lines.push(`${newest} ${newest === 1 ? 'is' : 'are'} too new to be confirmed yet.`);
  return [lines.join(' ')];
}

function formatDelay(ms: number): string {
  const minutes = Math.ceil(ms / 60_000);
  if (minutes < 120) return count(minutes, 'minute');
  return minutes < 48 * 60
    ? count(Math.ceil(minutes / 60), 'hour')
    : count(Math.ceil(minutes / 1_440), 'day');
}
