import { checkTimes, compareFigures, compareName, differIn, isSiteCaller, readTexts } from './caller.ts';
import { sizeOf, type Context } from './caller.ts';
import type { CallerChain } from './chain.ts';
import { endedAt, figuresAt, isClose, leadsAt } from './figures.ts';
import type { Leaderboard, VerifyOptions } from './options.ts';
import { isFlag, isNumber, isText, listOf, nullable, objectOf, read, type Of } from './shapes.ts';
import { fetchPage, fetchPages, type Page } from './site.ts';
import type { Sort } from './sorts.ts';

/** The value by which an order compares callers, with the one of those who have none. */
const VALUES: Readonly<Record<Sort, (row: Rates) => number>> = {
  avgReturn: ({ avgReturn }) => avgReturn ?? -100,
  winRate: ({ winRate }) => winRate ?? -1,
  followerReturn: ({ followerReturn }) => followerReturn ?? -100,
  proven: ({ proven }) => proven ?? -1_000,
  totalCalls: ({ rankedCalls }) => rankedCalls,
  lastCall: ({ lastRankedCallTimestamp: last }) => (last === null ? 0 : Date.parse(last)),
};

const isRate = nullable(isNumber);
const isRates = objectOf({
  avgReturn: isRate,
  winRate: isRate,
  followerReturn: isRate,
  proven: isRate,
  isLeading: isFlag,
  rankedCalls: isNumber,
  lastRankedCallTimestamp: nullable(isText),
});
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

/** Compares places: negative if the first caller comes first, 0 for a tie. By a rate or return, leading callers are first. */
function compareBy({ sort, order }: Order, one: Rates, other: Rates): number {
  const hasGroups = sort !== 'totalCalls' && sort !== 'lastCall';
  const [first, second] = [VALUES[sort](one), VALUES[sort](other)];
  if (hasGroups && one.isLeading !== other.isLeading) return one.isLeading ? -1 : 1;
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

/** Compares a list of the directory with the log: figures, names, the order, and that nobody is missing. */
export async function checkList(context: Context, pages: readonly ListPage[], by: Order): Promise<void> {
  const list = { pages, by };
  const known = new Map<string, Placed>();
  let before: Placed | undefined;
  for (const page of pages) {
    for (const row of page.rows) {
      const placed = { page, row };
      checkUnique(context, list, { known, placed, xId: await checkRow(context, placed) });
      if (before !== undefined) checkPlace(context, list, [before, placed]);
      before = placed;
    }
  }
  const listed = new Set(pages.flatMap(({ rows }) => rows.map(({ id }) => id)));
  const [last] = pages.slice(-1);
  for (const chain of context.log.chains.values()) {
    // The log names a caller before the first call. Without a name, a missing caller wouldn't be noticed.
    if (chain.names.length === 0 && chain.openings.length > 0) {
      context.report.fail('caller_missing', `The caller ${chain.id} has calls, but no name in the log.`);
    }
    const isMissing = () => !listed.has(chain.id) && belongsTo(context, chain, list);
    // A late gain may change the place.
    if (isMissing()) await checkTimes(context, chain);
    if (!last || !isMissing()) continue;
    differIn(context, last)('caller_missing', `The caller ${chain.id} isn’t in the list.`);
  }
}

interface Placed {
  readonly page: ListPage;
  readonly row: Row;
}

interface List {
  readonly pages: readonly ListPage[];
  readonly by: Order;
}

/** Compares a row with the log, apart from its place in the order. @returns the caller's id on X, if it's known */
async function checkRow(context: Context, { page, row }: Placed): Promise<string | undefined> {
  const chain = context.log.chains.get(row.id);
  if (chain !== undefined) await checkTimes(context, chain);
  compareFigures(context, page, row);
  compareDrawnCalls(context, page, row);
  if (chain === undefined) return undefined;
  const size = sizeOf(context, page);
  const number = chain.names.findLast(({ index }) => index < size)?.number;
  const texts = await readTexts(context, chain, number ?? 1);
  compareName(context, { page, chain, texts, caller: row });
  if (isUnlisted(chain, size)) {
    const why = 'though by the log, the account was removed from lists or deleted';
    differIn(context, page)('order_differs', `@${row.twitterHandle} is in the list, ${why}.`);
  }
  return texts.get(`${number} xId`);
}

interface Unique {
  readonly known: Map<string, Placed>;
  readonly placed: Placed;
  readonly xId: string | undefined;
}

function checkUnique(context: Context, list: List, { known, placed, xId }: Unique): void {
  const { id, twitterHandle } = placed.row;
  const account = xId === undefined ? [] : [`account ${xId} on X`];
  for (const name of [`caller ${id}`, `handle ${twitterHandle.toLowerCase()}`, ...account]) {
    const other = known.get(name);
    known.set(name, placed);
    if (other === undefined || mayHaveMoved(context, list, [other, placed])) continue;
    differIn(context, placed.page)('order_differs', `The ${name} is in the list twice.`);
  }
}

function checkPlace(context: Context, list: List, [before, after]: readonly [Placed, Placed]): void {
  if (compareBy(list.by, before.row, after.row) <= 0 || mayHaveMoved(context, list, [before, after])) return;
  const handles = `@${before.row.twitterHandle} is before @${after.row.twitterHandle}`;
  differIn(context, after.page)('order_differs', `${handles}, but not by the log.`);
}

/** True if the rows are on two pages, and one of the callers could have moved while these were read. */
function mayHaveMoved(context: Context, list: List, [one, other]: readonly [Placed, Placed]): boolean {
  if (one.page === other.page) return false;
  const chains = [one, other].flatMap(({ row }) => context.log.chains.get(row.id) ?? []);
  return chains.some((chain) => placesIn(context, chain, list)?.length !== 1);
}

/**
 * The figures that the log lets decide the caller's place: several if it doesn't tell the group. Null if figures or name
 * changed so that the place differs between the pages.
 */
function placesIn(context: Context, chain: CallerChain, { pages, by }: List): Rates[] | null {
  const sizes = pages.map((page) => sizeOf(context, page));
  const names = new Set(sizes.map((size) => chain.names.findLast(({ index }) => index < size)));
  const isListed = (size: number) => names.size === 1 && !names.has(undefined) && !isUnlisted(chain, size);
  const isLate = (index: number) => context.anchors.late.has(index);
  const placesAt = (size: number): Rates[] => {
    const figures = figuresAt(chain, size, isLate);
    const leads = leadsAt(chain, size, figures.proven, context.options.now);
    return leads.map((isLeading) => ({ ...figures, isLeading }));
  };
  const [first, ...others] = sizes.filter(isListed).map(placesAt);
  if (first === undefined || others.length < pages.length - 1) return null;
  const isSame = (places: Rates[]) =>
    places.length === first.length &&
    places.every((place, index) => compareBy(by, first[index] ?? place, place) === 0);
  return others.every(isSame) ? first : null;
}

function belongsTo(context: Context, chain: CallerChain, list: List): boolean {
  const places = placesIn(context, chain, list);
  const last = list.pages.at(-1);
  const end = last?.next === null ? undefined : last?.rows.at(-1);
  return (
    places !== null && (end === undefined || places.every((place) => compareBy(list.by, place, end) < 0))
  );
}
