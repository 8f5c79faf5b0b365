import { readJson } from './bytes.ts';
import type { CallerChain } from './chain.ts';
import { CACHE_TOLERANCE_MS, type Log } from './log.ts';
import type { Report } from './report.ts';
import { isListOf, isObject, objectOf, isText, read } from './shapes.ts';
import { figuresOf, isBefore, isClose, isOrderInLog, type Figures, type Order } from './statistics.ts';

// Compares the site's figures and order with the log.

export interface SiteCaller {
  readonly id: string;
  readonly twitterHandle: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly totalCalls: number;
  readonly endedCalls: number;
  readonly lastCallTimestamp: string | null;
  /** The log doesn't contain the marks that this figure needs yet, so it's taken from the site. */
  readonly proven: number | null;
}

const isProven = ({ proven }: SiteCaller) => proven !== null && proven > 0;

const isSiteCaller = objectOf({ id: isText, twitterHandle: isText, firstName: isText, lastName: isText });

export const readProfile = (text: string): SiteCaller =>
  read<SiteCaller>(readJson(text), isSiteCaller, 'The profile');

const LABELS: Readonly<Record<keyof Figures, string>> = {
  endedCalls: 'Ended Calls',
  rankedCalls: 'Ranked Calls',
  winRate: 'Win Rate',
  avgReturn: 'Avg Return',
  medianReturn: 'Median Return',
  bestReturn: 'Best',
  worstReturn: 'Worst',
};

const LISTED: readonly (keyof Figures)[] = ['endedCalls', 'rankedCalls', 'winRate', 'avgReturn'];
const ALL = Object.keys(LABELS) as readonly (keyof Figures)[];

interface Shown {
  readonly site: Readonly<Record<string, unknown>>;
  readonly required: readonly (keyof Figures)[];
}

/** Returns a sentence for each figure that the site leaves out, or that differs from the log. */
function differencesOf({ site, required }: Shown, figures: Figures): string[] {
  return required
    .filter((figure) => !isClose(site[figure], figures[figure]))
    .map((figure) => {
      if (site[figure] === undefined) return `${LABELS[figure]} is missing on the site.`;
      const [logged, shown] = [figures[figure], site[figure]].map(roundFigure);
      return `${LABELS[figure]} is ${logged} by the log, but ${shown} on the site.`;
    });
}

/**
 * Leaves out the last digits of a fraction, which are noise. A caller without ranked calls has no
 * percentages.
 */
const roundFigure = (figure: unknown) =>
  typeof figure === 'number' ? Number(figure.toPrecision(10)) : 'none';

/** True if a call has ended so recently that the log and the caches of the site may differ. */
const hasJustEnded = ({ lastCallTimestamp }: SiteCaller, ended: CallerChain['ended'], now: number): boolean =>
  [Date.parse(lastCallTimestamp ?? ''), ...[...ended.values()].map(({ endedAt }) => endedAt)].some(
    (time) => Math.abs(now - time) < CACHE_TOLERANCE_MS,
  );

const LATER = 'a call ended within the last five minutes; check again later';

/** Returns a sentence if the site's Last Call is in the future. */
function futureOf({ lastCallTimestamp }: SiteCaller, now: number): string[] {
  if (!(Date.parse(lastCallTimestamp ?? '') >= now + CACHE_TOLERANCE_MS)) return [];
  return [`Last Call is in the future on the site: ${lastCallTimestamp}.`];
}

export async function checkFigures({ source, now, report }: Log, profile: SiteCaller, chain: CallerChain) {
  const what = 'The figures on the site are those of the log';
  await report.check(what, async () => {
    const response = readJson(await source.fetchText(`/api/callers/${profile.id}/statistics`));
    const isStatistics = objectOf({ windows: objectOf({ all: isObject }) });
    const statistics = read<{ windows: { all: Figures } }>(response, isStatistics, 'The statistics');
    const { medianReturn, bestReturn, worstReturn } = statistics.windows.all;
    const site = { ...profile, medianReturn, bestReturn, worstReturn };
    const differences = differencesOf({ site, required: ALL }, figuresOf([...chain.ended.values()]));
    if (differences.length > 0 && hasJustEnded(profile, chain.ended, now)) {
      return report.postpone(what, LATER);
    }
    for (const problem of [...futureOf(profile, now), ...differences]) {
      report.fail('statistic_differs', problem);
    }
    const active = profile.totalCalls - profile.endedCalls;
    const sealed = chain.sealed.size;
    if (active > sealed) {
      const why = `the site counts ${active} active calls, the log has ${sealed} sealed entries`;
      report.skip('Total Calls', why);
    }
  });
}

export interface RankedCaller {
  readonly caller: SiteCaller;
  /** The figures computed from the log. */
  readonly figures: Figures;
  readonly ended?: CallerChain['ended'];
}

/** Reports differences between a list of callers and the log: in the figures and in the order. */
export function checkRanking(
  rows: readonly RankedCaller[],
  { sort, order, now }: Order & { now: number },
  report: Report,
) {
  let previous: RankedCaller | null = null;
  for (const row of rows) {
    const { caller, figures, ended = new Map() } = row;
    const handle = `@${caller.twitterHandle}`;
    const differences = differencesOf({ site: { ...caller }, required: LISTED }, figures);
    if (differences.length > 0 && hasJustEnded(caller, ended, now)) {
      report.postpone(handle, LATER);
      continue;
    }
    for (const problem of [...futureOf(caller, now), ...differences]) {
      report.fail('statistic_differs', `${handle}: ${problem}`);
    }
    const isSameGroup = previous !== null && isProven(previous.caller) === isProven(caller);
    if (previous !== null && isProven(caller) && !isProven(previous.caller) && isOrderInLog(sort)) {
      const before = `@${previous.caller.twitterHandle}`;
      report.fail('order_differs', `${before} is before ${handle}, but isn't proven.`);
    } else if (previous !== null && isSameGroup && !isBefore(previous.figures, figures, { sort, order })) {
      const before = `@${previous.caller.twitterHandle}`;
      report.fail('order_differs', `${before} is before ${handle}, but not by the log.`);
    }
    previous = row;
  }
}

/** True if the operators' last action about lists removed the caller from them. */
function isHidden({ actions }: CallerChain): boolean {
  const isIn = (hide: string, show: string) => actions.lastIndexOf(hide) > actions.lastIndexOf(show);
  return isIn('suspend', 'unsuspend') || isIn('hide_caller', 'show_caller');
}

/** Recomputes the directory's figures and default order, and compares them with the site. */
export async function checkDirectory(
  { source, now, report }: Log,
  chains: ReadonlyMap<string, CallerChain>,
): Promise<void> {
  await report.check('The figures and the default order of the directory are those of the log', async () => {
    const rows: RankedCaller[] = [];
    for (let path: string | null = '/api/callers'; path !== null;) {
      const page = await source.fetchPage(path);
      const callers = read<SiteCaller[]>(readJson(page.text), isListOf(isSiteCaller), 'The directory');
      for (const caller of callers) {
        const ended = chains.get(caller.id)?.ended ?? new Map();
        rows.push({ caller, ended, figures: figuresOf([...ended.values()]) });
      }
      report.onProgress('Comparing the directory', rows.length);
      path = page.next;
    }
    checkRanking(rows, { sort: 'avgReturn', order: 'desc', now }, report);
    const listed = new Set(rows.map(({ caller }) => caller.id));
    const unlisted = [...chains].filter(([caller, chain]) => !listed.has(caller) && !isHidden(chain));
    const named = unlisted
      .filter(([, { ended }]) => [...ended.values()].some(({ isRanked }) => isRanked))
      .map(([caller]) => caller);
    if (named.length > 0 && rows.length === 0) {
      report.fail('callers_missing', `The directory is empty, but the log has ${named.join(', ')}.`);
    } else if (named.length > 0) {
      const why = "they aren't in the directory, and the log doesn't say which accounts were deleted";
      report.skip(`The callers ${named.join(', ')}`, why);
    }
  });
}
