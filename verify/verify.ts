import { readAnchors } from './anchors.ts';
import { checkCaller, checkTimes, fetchCaller, type CallerResponses, type Context } from './caller.ts';
import { checkDue, type CallerChain } from './chain.ts';
import { checkLeaderboard, fetchPages, isUnlisted, type Page } from './leaderboard.ts';
import { openLog, remember, type Log } from './log.ts';
import type { Verdict, VerifyOptions } from './options.ts';
import { count, Declined, formatTime, Later, Problem, Report } from './report.ts';

export type {
  Failure,
  Leaderboard,
  Progress,
  Question,
  Reason,
  Target,
  Verdict,
  VerifyOptions,
} from './options.ts';
export type { CallRpc, Store } from './store.ts';

/** An entry is published within two minutes. */
const PUBLISHED_MS = 10 * 60_000;

const UNPROVED = [
  'Prices: the log has only the hashes of the sources’ quotes.',
  'The minute: a time is proved only to within 15 minutes, which can be a large gain on a small token.',
  'Peaks, wallets, subscribers, fees and the prices of active calls: they aren’t in the log.',
  'A call that the site refused to log leaves no trace.',
];

/** What the site shows, and the log that it was compared with. */
interface Shown {
  readonly callers: readonly CallerResponses[];
  readonly pages: readonly Page[];
}

/**
 * Verifies one caller, a list of the directory, or everything. Problems are in the verdict; throws only on errors of
 * its own, or when aborted.
 */
export async function verify(options: VerifyOptions): Promise<Verdict> {
  const report = new Report();
  let found: Context | null = null;
  let isStopped = false;
  let headlines: string[] = [];
  try {
    // The responses come first, so that the log is newer.
    const shown = await fetchShown(options);
    const log = await openLog(options, report);
    found = { options, log, anchors: null, report };
    const context = await checkLog(found, shown);
    await compare(context, shown);
    headlines = describe(context, shown);
    await finish(context, shown);
  } catch (error) {
    if (error instanceof Problem) report.fail(error.reason, error.message);
    else if (error instanceof Later) report.isLater = true;
    else if (error instanceof Declined) isStopped = true;
    else throw error;
  }
  const outcome = outcomeOf(report, isStopped);
  return {
    outcome,
    headlines: outcome === 'verified' ? headlines : [],
    failures: report.failures,
    checked: report.checked,
    notes: [...report.notes, ...UNPROVED.map((what) => `Not proved – ${what}`)],
    key: found?.log.key.text ?? null,
    wallet: found?.log.wallet ?? null,
  };
}

function outcomeOf({ failures, isLater }: Report, isStopped: boolean): Verdict['outcome'] {
  if (failures.length > 0) return 'failed';
  if (isStopped) return 'stopped';
  return isLater ? 'later' : 'verified';
}

async function fetchShown(options: VerifyOptions): Promise<Shown> {
  const { target, onProgress } = options;
  if (target.kind === 'caller') return { callers: [await fetchCaller(options, target.handle)], pages: [] };
  const pages = await fetchPages(options, target.kind === 'all' ? null : target.paths);
  if (target.kind === 'leaderboard') return { callers: [], pages };
  const ids = pages.flatMap((page) => page.callers.map(({ id }) => id));
  const callers: CallerResponses[] = [];
  for (const id of ids) {
    onProgress({ step: 'Reading callers', done: callers.length, total: ids.length });
    callers.push(await fetchCaller(options, id));
  }
  return { callers, pages };
}

/** Checks the log itself: chains, seals, anchors. */
async function checkLog(context: Context, { callers }: Shown): Promise<Context> {
  const { options, log, report } = context;
  const { size, key, chains } = log;
  report.checked.push(`${key.name} has signed a log of ${count(size, 'entry').replace('entrys', 'entries')}`);
  const [only] = callers;
  const first = options.target.kind === 'caller' ? chains.get(only?.caller.id ?? '')?.firstAt : 0;
  const anchors = await readAnchors(options, { log, since: first ?? options.now, report });
  if (anchors !== null && report.failures.length === 0)
    report.checked.push('No anchor on Solana contradicts the log');
  const loggedBy = (index: number) => log.timeFrom(index + 1) ?? anchors?.loggedBy(index) ?? null;
  await report.check('No call is missing, and each is what was sealed when it was opened', () => {
    for (const chain of chains.values()) checkDue(chain, { now: options.now, loggedBy, report });
  });
  checkPromise(log, options, report);
  return { ...context, anchors };
}

/** Reports a site that showed newer entries long ago, and never published them. */
function checkPromise({ saved, size }: Log, { now }: VerifyOptions, report: Report): void {
  const promised = saved?.promised ?? null;
  if (promised === null || size >= promised.size || now - promised.at < PUBLISHED_MS) return;
  const message = `On ${formatTime(promised.at)}, the site showed a log of ${promised.size} entries, but it has published ${size}.`;
  report.fail('stale_checkpoint', message);
}

async function compare(context: Context, { callers, pages }: Shown): Promise<void> {
  const { options, log, report } = context;
  const { target, onProgress } = options;
  for (const [place, responses] of callers.entries()) {
    onProgress({ step: 'Comparing callers', done: place, total: callers.length });
    const chain = log.chains.get(responses.caller.id);
    if (chain !== undefined) await checkTimes(context, chain);
    await checkCaller(context, responses);
  }
  if (target.kind === 'caller') return;
  const order = target.kind === 'all' ? ({ sort: 'avgReturn', order: 'desc' } as const) : target;
  await report.check('The list has the right order, and nobody is missing', () =>
    checkLeaderboard(context, pages, order),
  );
  const unlisted = [...log.chains.values()].filter((chain) => isUnlisted(chain, log.size)).length;
  if (unlisted > 0)
    report.note(`${count(unlisted, 'caller')} of the log: suspended or deleted, so not listed.`);
}

/** At most three sentences for traders. */
function describe({ log, anchors, options }: Context, { callers, pages }: Shown): string[] {
  const ids = new Set([
    ...callers.map(({ caller }) => caller.id),
    ...pages.flatMap((page) => page.callers.map(({ id }) => id)),
  ]);
  const chains = [...ids].flatMap((id) => log.chains.get(id) ?? []);
  const calls = chains.reduce((sum, { openings }) => sum + openings.length, 0);
  const sealed = calls - chains.reduce((sum, { ended }) => sum + ended.size, 0);
  const subject = options.target.kind === 'caller' ? '' : `${count(ids.size, 'caller')}, `;
  return [
    `${subject}${count(calls, 'call')}. ${calls === 0 ? 'There is nothing to prove yet.' : 'None missing, none changed.'}`,
    ...(calls === 0 ? [] : [describeTimes(chains, anchors)]),
    ...(sealed === 0 ? [] : [`${count(sealed, 'call')} ${sealed === 1 ? 'is' : 'are'} still sealed.`]),
  ];
}

function describeTimes(chains: readonly CallerChain[], anchors: Context['anchors']): string {
  if (anchors === null) return 'The times are unconfirmed: no Solana endpoint responded.';
  const isLate = (index: number) => anchors.late.has(index);
  const late = chains
    .flatMap(({ ended }) => [...ended.values()])
    .filter(({ openIndex, endIndex }) => isLate(openIndex) || isLate(endIndex)).length;
  const confirmed = 'Solana confirms each to within 15 minutes.';
  if (late === 0) return confirmed;
  const whose = late === 1 ? 'its time and gain' : 'their times and gains';
  return `${confirmed.replace('each', 'the others')} ${late} came late: our fault, and ${whose} can’t be proved.`;
}

/** Saves the log's position if nothing is wrong, and which size the site named. */
async function finish({ options, log, report }: Context, { callers, pages }: Shown): Promise<void> {
  if (report.failures.length > 0) return;
  const responses = callers.flatMap(({ profile, statistics, calls }) => [profile, statistics, calls]);
  const named = [...responses, ...pages.map(({ response }) => response)].map(({ size }) => size);
  const newest = Math.max(0, ...named);
  const earlier = log.saved?.promised ?? null;
  const isKept = earlier !== null && log.size < earlier.size;
  const promised = newest > log.size ? { size: newest, at: options.now } : null;
  await remember(options, log, isKept ? earlier : promised);
}
