import type { CallersFilter } from '#web/api/callers.queries.ts';
import { DEFAULT_CALLER_SORT, SEARCH_MAX_LENGTH } from '#schema/constants.ts';
import type { CallerSort } from '#schema/contracts/callers.ts';

/** What each order is called. */
export const sortLabels = {
  avgReturn: 'Avg Return',
  winRate: 'Win Rate',
  subscribers: 'Subscribers',
  totalCalls: 'Total Calls',
  lastCall: 'Last Call',
  fee: 'Monthly Fee',
} as const satisfies Record<CallerSort, string>;

export type DirectoryView = 'cards' | 'table';

/** The directory's state in the address. What has its default is left out, so that equal pages share an address. */
export interface DirectorySearch extends CallersFilter {
  readonly view?: 'table';
}

/** Reads the directory's state from the address; what makes no sense is dropped. */
export function readDirectorySearch(raw: Record<string, unknown>): DirectorySearch {
  const search = readText(raw['search']);
  const sort = readText(raw['sort']);
  const maxFee = readMaxFee(raw['maxFee']);
  return {
    ...(search === '' ? {} : { search: search.slice(0, SEARCH_MAX_LENGTH) }),
    ...(isSort(sort) && sort !== DEFAULT_CALLER_SORT ? { sort } : {}),
    ...(raw['order'] === 'asc' ? { order: 'asc' } : {}),
    ...(maxFee === null ? {} : { maxFee }),
    ...(String(raw['verified']) === 'true' ? { verified: 'true' } : {}),
    ...(String(raw['paid']) === 'true' ? { paid: 'true' } : {}),
    ...(raw['view'] === 'table' ? { view: 'table' } : {}),
  };
}

/** What the API is asked for: all but how it is shown. */
export function filterOf({ view: _view, ...filter }: DirectorySearch): CallersFilter {
  return filter;
}

/** Whether anything narrows the list (the order and the view do not). */
export function isNarrowed({ search, maxFee, verified, paid }: DirectorySearch): boolean {
  return Boolean(search ?? maxFee ?? verified ?? paid);
}

/** A fee as the API takes it: at most one decimal, '0.5' or '2'; null when it is none. */
export function readMaxFee(raw: unknown): string | null {
  const text = readText(raw);
  if (!/^\d{1,6}(?:\.\d*)?$/.test(text)) return null;
  return String(Math.round(Number(text) * 10) / 10);
}

function readText(raw: unknown): string {
  return typeof raw === 'string' || typeof raw === 'number' ? String(raw).trim() : '';
}

function isSort(text: string): text is CallerSort {
  return Object.hasOwn(sortLabels, text);
}
