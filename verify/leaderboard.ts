import { checkTimes, compareFigures, comparedSize, differIn, isSiteCaller } from './caller.ts';
import type { Context, SiteCaller } from './caller.ts';
import type { CallerChain } from './chain.ts';
import { figuresAt, isClose } from './figures.ts';
import type { Leaderboard, VerifyOptions } from './options.ts';
import { isListOf, isNumber, nullable, objectOf, read } from './shapes.ts';
import { fetchSite, type SiteResponse } from './site.ts';

type Sort = Leaderboard['sort'];

/** The figure of a caller without one, in orders. */
const MISSING: Readonly<Record<Sort, number>> = {
  avgReturn: -100,
  winRate: -1,
  followerReturn: -100,
  proven: -1_000,
};

export interface Page {
  readonly response: SiteResponse;
  readonly callers: readonly SiteCaller[];
}

/** Reads the directory's pages. Without `paths`, all of them. */
export async function fetchPages({ get }: VerifyOptions, paths: readonly string[] | null): Promise<Page[]> {
  const pages: Page[] = [];
  const isRate = nullable(isNumber);
  const isRow = objectOf({ avgReturn: isRate, winRate: isRate, followerReturn: isRate, proven: isRate });
  for (let path: string | null | undefined = paths === null ? '/api/callers' : paths[0]; path;) {
    const response: SiteResponse = await fetchSite(get, path);
    const isPage = isListOf((row) => isSiteCaller(row) && isRow(row));
    pages.push({ response, callers: read(response.value, isPage, 'The directory') });
    path = paths === null ? response.next : paths[pages.length];
  }
  return pages;
}

type Rates = Readonly<Record<Sort, number | null>>;
interface Order {
  readonly sort: Sort;
  readonly order: 'asc' | 'desc';
}

/** Compares places: negative if the first caller comes first, 0 for a tie. Proven callers are always first. */
function compareBy({ sort, order }: Order, one: Rates, other: Rates): number {
  const isProven = ({ proven }: Rates) => Number((proven ?? 0) > 0);
  const group = isProven(other) - isProven(one);
  const [first, second] = [one[sort] ?? MISSING[sort], other[sort] ?? MISSING[sort]];
  if (group !== 0 || isClose(first, second)) return group;
  return order === 'asc' ? first - second : second - first;
}

/** True if operators have removed the caller from lists, or if the account was deleted. */
export function isUnlisted(chain: CallerChain, size: number): boolean {
  const last = (...actions: string[]) =>
    chain.actions.findLast(({ index, action }) => index < size && actions.includes(action))?.action;
  const named = chain.names.findLast(({ index }) => index < size)?.index ?? -1;
  const deleted = chain.deletions.findLast((index) => index < size) ?? -1;
  return (
    last('suspend', 'unsuspend') === 'suspend' ||
    last('hide_caller', 'show_caller') === 'hide_caller' ||
    deleted > named
  );
}

/** Compares a list of the directory with the log: the figures, the order, and that nobody is missing. */
export async function checkLeaderboard(context: Context, pages: readonly Page[], by: Order): Promise<void> {
  const { log, report } = context;
  for (const { response, callers } of pages) {
    for (const [place, caller] of callers.entries()) {
      const chain = log.chains.get(caller.id);
      if (chain !== undefined) await checkTimes(context, chain);
      compareFigures(context, response, caller);
      const before = callers[place - 1];
      if (before === undefined || compareBy(by, ratesOf(before), ratesOf(caller)) <= 0) continue;
      const message = `@${before.twitterHandle} is before @${caller.twitterHandle}, but not by the log.`;
      differIn(context, response)('order_differs', message);
    }
  }
  const last = pages.at(-1);
  if (last === undefined) return;
  const listed = new Set(pages.flatMap(({ callers }) => callers.map(({ id }) => id)));
  const end = last.response.next === null ? null : (last.callers.at(-1) ?? null);
  for (const chain of log.chains.values()) {
    if (listed.has(chain.id) || !(await isMissing(context, { chain, pages, by, end }))) continue;
    const size = Math.max(...pages.map(({ response }) => response.size));
    differIn({ ...context, log }, { size })('caller_missing', `The caller ${chain.id} isn't in the list.`);
  }
  for (const { callers, response } of pages) {
    if (new Set(callers.map(({ id }) => id)).size === callers.length) continue;
    differIn(context, response)('order_differs', 'A caller is in the list twice.');
  }
  report.note('A leaderboard’s names and calls aren’t compared. Verify a caller’s record for those.');
}

const ratesOf = (caller: SiteCaller) => caller as unknown as Rates;

interface Place {
  readonly chain: CallerChain;
  readonly pages: readonly Page[];
  readonly by: Order;
  /** The last caller that is shown. Null if the whole directory is. */
  readonly end: SiteCaller | null;
}

/** True if the caller belongs into the list at the size of each of its pages. */
async function isMissing(context: Context, { chain, pages, by, end }: Place): Promise<boolean> {
  const belongs = () =>
    pages.every(({ response }) => {
      const size = comparedSize(context, response);
      if (!chain.names.some(({ index }) => index < size) || isUnlisted(chain, size)) return false;
      const figures = figuresAt(chain, size, (index) => context.anchors?.late.has(index) ?? false);
      return end === null || compareBy(by, figures, ratesOf(end)) < 0;
    });
  if (!belongs()) return false;
  // A late gain may change the place.
  await checkTimes(context, chain);
  return belongs();
}
