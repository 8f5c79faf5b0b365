import type { CallersFilter } from '#web/api/callers.queries.ts';
import { SEARCH_MAX_LENGTH } from '#schema/constants/app.ts';
import { DEFAULT_CALLER_SORT } from '#schema/constants/market.ts';
import { DIRECTORY_FEE_STEP_SOL } from '#schema/constants/money.ts';
import type { CallerSort } from '#schema/contracts/callers.ts';
import { normalizeSearch } from '#schema/rules/text/search.ts';

/** The orders that have a column, in the order of these. */
export const sortLabels = {
  afterFee: 'After the fee',
  fee: 'Monthly Fee',
  avgReturn: 'Avg Return',
  winRate: 'Win Rate',
  proven: 'Proven',
  followerReturn: 'Follower Return',
  totalCalls: 'Total Calls',
  subscribers: 'Subscribers',
  lastCall: 'Last Call',
} as const satisfies Partial<Record<CallerSort, string>>;
export type ShownSort = keyof typeof sortLabels;

const STEPS_PER_SOL = Math.round(1 / DIRECTORY_FEE_STEP_SOL);
/** The API accepts six digits before the decimal point. */
const HIGHEST_MAX_FEE = 999_999.9;

export type DirectoryView = 'cards' | 'table';

/** The directory's state in the URL. Defaults are left out, so that equal pages have equal URLs. */
export interface DirectorySearch extends CallersFilter {
  readonly view?: 'table';
}

export function readDirectorySearch(raw: Record<string, unknown>): DirectorySearch {
  const search = readText(raw['search']).slice(0, SEARCH_MAX_LENGTH).trimEnd();
  const sort = readText(raw['sort']);
  const maxFee = readMaxFee(raw['maxFee']);
  // The API has these in the default order only.
  const isMicroCaps = String(raw['microCaps']) === 'true';
  const hasDefaultSort = isMicroCaps || search !== '';
  return {
    ...(search === '' ? {} : { search }),
    ...(isSort(sort) && sort !== DEFAULT_CALLER_SORT && !hasDefaultSort ? { sort } : {}),
    ...(raw['order'] === 'asc' && !isMicroCaps ? { order: 'asc' } : {}),
    ...(maxFee === null ? {} : { maxFee }),
    ...(String(raw['verified']) === 'true' ? { verified: 'true' } : {}),
    ...(String(raw['paid']) === 'true' ? { paid: 'true' } : {}),
    ...(isMicroCaps ? { microCaps: 'true' } : {}),
    ...(raw['view'] === 'table' ? { view: 'table' } : {}),
  };
}

export function filterOf(search: DirectorySearch): CallersFilter {
  const { view: _view, search: text = '', ...filter } = readDirectorySearch({ ...search });
  const normalized = normalizeSearch(text);
  return normalized === '' ? filter : { ...filter, search: normalized };
}

export function hasFilters({ search, maxFee, verified, paid, microCaps }: DirectorySearch): boolean {
  return Boolean(search ?? maxFee ?? verified ?? paid ?? microCaps);
}

/** Returns a fee in the API's format, rounded to 0.1: '0.5' or '2'. Null if invalid. */
export function readMaxFee(raw: unknown): string | null {
  const text = readText(raw);
  if (!/^(?:\d{1,6}(?:\.\d*)?|\.\d+)$/.test(text)) return null;
  return String(Math.min(Math.round(Number(text) * STEPS_PER_SOL) / STEPS_PER_SOL, HIGHEST_MAX_FEE));
}

function readText(raw: unknown): string {
  return typeof raw === 'string' || typeof raw === 'number' ? String(raw).trim() : '';
}

function isSort(text: string): text is ShownSort {
  return Object.hasOwn(sortLabels, text);
}
