import { checkTimes, compareFigures, compareName, differIn, isSiteCaller, readTexts } from './caller.ts';
import { compareMembers, hasUnknownTimes, sizeOf, type Context, type SiteCaller } from './caller.ts';
import type { CallerChain } from './chain.ts';
import { endedAt, figuresAt, isClose, leadsAt } from './figures.ts';
import type { Leaderboard, VerifyOptions } from './options.ts';
import type { IsLate } from './proven.ts';
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
type SiteRow = SiteCaller & Rates;
const isRow = (value: unknown): value is SiteRow => isSiteCaller(value) && isRates(value);
type Row = SiteRow & { readonly page: Page };

/** A row of the directory draws this many of the newest ended calls. */
const DRAWN_CALLS = 7;

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
  return pages.map((page) => {
    const rows = read(page.value, listOf(isRow), 'The directory');
    return { ...page, rows: rows.map((row): Row => ({ ...row, page })) };
  });
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

function compareDrawnCalls(context: Context, chain: CallerChain, row: Row): void {
  const { page, recentCalls, twitterHandle } = row;
  const newest = endedAt(chain, sizeOf(context, page)).slice(0, DRAWN_CALLS).reverse();
  const drawn = newest.map(({ entryPrice, endPrice, openedAt }) => {
    return { entryPrice, endPrice, callTimestamp: new Date(openedAt).toISOString() };
  });
  const differ = differIn(context, page);
  compareMembers({
    shown: recentCalls,
    possible: [{ ...drawn, length: drawn.length }],
    differ: (message) => differ('call_differs', `The newest calls of @${twitterHandle}: ${message}.`),
  });
}

interface List extends Context {
  readonly pages: readonly ListPage[];
  readonly by: Order;
}

/** Compares a list of the directory with the log: figures, names, the order, and that nobody is missing. */
export async function checkList(context: Context, pages: readonly ListPage[], by: Order): Promise<void> {
  const list = { ...context, pages, by };
  const rows = pages.flatMap((page) => page.rows);
  const known = new Map<string, Row>();
  for (const [place, row] of rows.entries()) {
    const differ = differIn(context, row.page);
    for (const name of await checkRow(context, row)) {
      const other = known.get(name);
      known.set(name, row);
      if (other === undefined || mayHaveMoved(list, other, row)) continue;
      differ('order_differs', `The ${name} is in the list twice.`);
    }
    const before = rows[place - 1];
    if (before === undefined || compareBy(by, before, row) <= 0 || mayHaveMoved(list, before, row)) continue;
    differ('order_differs', `@${before.twitterHandle} is before @${row.twitterHandle}, but not by the log.`);
  }
  const listed = new Set(rows.map(({ id }) => id));
  const [last] = pages.slice(-1);
  for (const chain of context.log.chains.values()) {
    // The log names a caller before the first call. Without a name, a missing caller wouldn't be noticed.
    if (chain.names.length === 0 && chain.openings.length > 0) {
      context.report.fail('caller_missing', `The caller ${chain.id} has calls, but no name in the log.`);
    }
    const isMissing = () => !listed.has(chain.id) && belongsTo(list, chain);
    // A late gain may change the place.
    if (isMissing()) await checkTimes(context, chain);
    if (!last || !isMissing()) continue;
    differIn(context, last)('caller_missing', `The caller ${chain.id} isn’t in the list.`);
  }
}

/** Compares a row with the log, apart from its place. @returns names that no other row may have */
async function checkRow(context: Context, row: Row): Promise<string[]> {
  const { id, page, twitterHandle } = row;
  const names = [`caller ${id}`, `handle ${twitterHandle.toLowerCase()}`];
  const chain = context.log.chains.get(id);
  if (chain !== undefined) await checkTimes(context, chain);
  compareFigures(context, page, row);
  if (chain === undefined) return names;
  compareDrawnCalls(context, chain, row);
  const size = sizeOf(context, page);
  const number = chain.names.findLast(({ index }) => index < size)?.number;
  const texts = await readTexts(context, chain, number ?? 1);
  compareName(context, { page, chain, texts, caller: row });
  if (isUnlisted(chain, size)) {
    const why = 'though by the log, the account was removed from lists or deleted';
    differIn(context, page)('order_differs', `@${twitterHandle} is in the list, ${why}.`);
  }
  const xId = texts.get(`${number} xId`);
  return xId === undefined ? names : [...names, `account ${xId} on X`];
}

/** True if the rows are on two pages, and one of the callers could have moved while these were read. */
function mayHaveMoved(list: List, ...rows: readonly [Row, Row]): boolean {
  if (rows[0].page === rows[1].page) return false;
  return rows
    .flatMap(({ id }) => list.log.chains.get(id) ?? [])
    .some((chain) => placesIn(list, chain)?.length !== 1);
}

/**
 * The figures that the log lets decide the caller's place: several if it doesn't tell the group. Null if figures or name
 * changed so that the place differs between the pages.
 */
function placesIn(
  list: List,
  chain: CallerChain,
  isLate: IsLate = (index) => list.anchors.late.has(index),
): Rates[] | null {
  const { by, options, pages } = list;
  const sizes = pages.map((page) => sizeOf(list, page));
  const names = new Set(sizes.map((size) => chain.names.findLast(({ index }) => index < size)));
  const isListed = (size: number) => names.size === 1 && !names.has(undefined) && !isUnlisted(chain, size);
  const placesAt = (size: number): Rates[] => {
    const figures = figuresAt(chain, size, isLate);
    const leads = leadsAt(chain, size, figures.proven, options.now);
    return leads.map((isLeading) => ({ ...figures, isLeading }));
  };
  const [first, ...others] = sizes.filter(isListed).map(placesAt);
  if (first === undefined || others.length < pages.length - 1) return null;
  const isSame = (places: Rates[]) =>
    places.length === first.length &&
    places.every((place, index) => compareBy(by, first[index] ?? place, place) === 0);
  return others.every(isSame) ? first : null;
}

function belongsTo(list: List, chain: CallerChain): boolean {
  const last = list.pages.at(-1);
  const end = last?.next === null ? undefined : last?.rows.at(-1);
  const isBeforeEnd = (place: Rates) => end === undefined || compareBy(list.by, place, end) < 0;
  const isBefore = (places: Rates[] | null) => places?.every(isBeforeEnd) ?? false;
  // If entries may be late, the place may be as low as if all were.
  const mayBeLower = hasUnknownTimes(list.anchors, chain) && !isBefore(placesIn(list, chain, () => true));
  return isBefore(placesIn(list, chain)) && !mayBeLower;
}
