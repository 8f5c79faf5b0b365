import { checkTimes, compareFigures, differIn, isSiteCaller, sizeOf, type Context } from './caller.ts';
import type { CallerChain } from './chain.ts';
import { endedAt, figuresAt, isClose } from './figures.ts';
import type { Leaderboard, VerifyOptions } from './options.ts';
import { isNumber, isText, listOf, nullable, objectOf, read, type Of } from './shapes.ts';
import { fetchPage, fetchPages, type Page } from './site.ts';
import type { Sort } from './sorts.ts';

/** The figure of a caller without one, in orders. */
const MISSING: Readonly<Record<Sort, number>> = {
  avgReturn: -100,
  winRate: -1,
  followerReturn: -100,
  proven: -1_000,
};

const isRate = nullable(isNumber);
const isRates = objectOf({ avgReturn: isRate, winRate: isRate, followerReturn: isRate, proven: isRate });
type Rates = Of<typeof isRates>;
type Row = Of<typeof isSiteCaller> & Rates & Readonly<Record<string, unknown>>;
const isRow = (value: unknown): value is Row => isSiteCaller(value) && isRates(value);

/** A row of the directory draws this many of the newest ended calls. */
const DRAWN_CALLS = 7;
const isDrawn = listOf(objectOf({ entryPrice: isText, endPrice: isText, callTimestamp: isText }));

export interface ListPage extends Page {
  readonly rows: readonly Row[];
}

/** Reads pages of the directory. Without paths, all of them. */
export async function fetchList(
  { get }: VerifyOptions,
  paths: readonly string[] | null,
): Promise<ListPage[]> {
  const pages: Page[] = paths === null ? await fetchPages(get, '/api/callers') : [];
  for (const path of paths ?? []) pages.push(await fetchPage(get, path));
  return pages.map((page) => ({ ...page, rows: read(page.value, listOf(isRow), 'The directory') }));
}

type Order = Pick<Leaderboard, 'sort' | 'order'>;

/** Compares places: negative if the first caller comes first, 0 for a tie. Proven callers are always first. */
function compareBy({ sort, order }: Order, one: Rates, other: Rates): number {
  const isProven = ({ proven }: Rates) => Number((proven ?? 0) > 0);
  const [first, second] = [one[sort] ?? MISSING[sort], other[sort] ?? MISSING[sort]];
  if (isProven(one) !== isProven(other)) return isProven(other) - isProven(one);
  if (isClose(first, second)) return 0;
  return order === 'asc' ? first - second : second - first;
}

/** True if operators have removed the caller from lists, or if the account was deleted. */
export function isUnlisted({ actions, deletions, names }: CallerChain, size: number): boolean {
  const isOn = (on: string, off: string) =>
    actions.findLast(({ index, action }) => index < size && [on, off].includes(action))?.action === on;
  const named = names.findLast(({ index }) => index < size)?.index ?? Infinity;
  const isDeleted = deletions.some((index) => index < size && index > named);
  return isDeleted || isOn('suspend', 'unsuspend') || isOn('hide_caller', 'show_caller');
}

/** Compares the calls that a row of the directory draws. */
function compareDrawnCalls(context: Context, page: ListPage, row: Row): void {
  const shown = read(row['recentCalls'], isDrawn, 'The directory');
  const chain = context.log.chains.get(row.id);
  const newest = chain === undefined ? [] : endedAt(chain, sizeOf(context, page)).slice(0, DRAWN_CALLS);
  const isSame = newest.toReversed().every(({ entryPrice, endPrice, openedAt }, place) => {
    const call = shown[place];
    const time = new Date(openedAt).toISOString();
    return call?.entryPrice === entryPrice && call.endPrice === endPrice && call.callTimestamp === time;
  });
  if (isSame && shown.length === newest.length) return;
  differIn(context, page)('call_differs', `The newest calls of @${row.twitterHandle} are others in the log.`);
}

/** Compares a list of the directory with the log: the figures, the order, and that nobody is missing. */
export async function checkList(context: Context, pages: readonly ListPage[], by: Order): Promise<void> {
  const { chains } = context.log;
  for (const page of pages) {
    const differ = differIn(context, page);
    for (const [place, row] of page.rows.entries()) {
      const chain = chains.get(row.id);
      if (chain !== undefined) await checkTimes(context, chain);
      compareFigures(context, page, row);
      compareDrawnCalls(context, page, row);
      const before = page.rows[place - 1];
      if (page.rows.findIndex(({ id }) => id === row.id) < place) {
        differ('order_differs', `@${row.twitterHandle} is in the list twice.`);
      } else if (before !== undefined && compareBy(by, before, row) > 0) {
        const handles = `@${before.twitterHandle} is before @${row.twitterHandle}`;
        differ('order_differs', `${handles}, but not by the log.`);
      }
    }
  }
  const listed = new Set(pages.flatMap(({ rows }) => rows.map(({ id }) => id)));
  const [last] = pages.slice(-1);
  for (const chain of chains.values()) {
    const isMissing = () => !listed.has(chain.id) && belongsTo(context, chain, { pages, by });
    // A late gain may change the place.
    if (isMissing()) await checkTimes(context, chain);
    if (!last || !isMissing()) continue;
    differIn(context, last)('caller_missing', `The caller ${chain.id} isn’t in the list.`);
  }
}

interface List {
  readonly pages: readonly ListPage[];
  readonly by: Order;
}

/** True if the caller has a place before the list's end, which was the same when each page was read. */
function belongsTo(context: Context, chain: CallerChain, { pages, by }: List): boolean {
  const sizes = pages.map((page) => sizeOf(context, page));
  const isListed = (size: number) =>
    chain.names.some(({ index }) => index < size) && !isUnlisted(chain, size);
  const isLate = (index: number) => context.anchors.late.has(index);
  const [first, ...others] = sizes.filter(isListed).map((size) => figuresAt(chain, size, isLate));
  const hasMoved = others.some((figures) => first && compareBy(by, first, figures) !== 0);
  if (first === undefined || others.length < pages.length - 1 || hasMoved) return false;
  const last = pages.at(-1);
  const end = last?.next === null ? undefined : last?.rows.at(-1);
  return end === undefined || compareBy(by, first, end) < 0;
}
