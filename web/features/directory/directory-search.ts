import type { CallersFilter } from '#web/api/callers.queries.ts';
import { DEFAULT_CALLER_SORT, DIRECTORY_FEE_STEP_SOL, SEARCH_MAX_LENGTH } from '#schema/constants.ts';
import type { CallerSort } from '#schema/contracts/callers.ts';

/** What each order is called. */
export const sortLabels = {
  avgReturn: 'Avg Return',
  winRate: 'Win Rate',
  proven: 'Proven',
  subscribers: 'Subscribers',
  totalCalls: 'Total Calls',
  lastCall: 'Last Call',
  fee: 'Monthly Fee',
} as const satisfies Record<CallerSort, string>;

/** What 'Proven' says, in a sentence. */
export const PROVEN_HINT =
  'The least that the win rate is, with 95% confidence: few calls prove little. A win is a ranked call that ended at least 1% up; open calls are not won yet.';

const STEPS_PER_SOL = Math.round(1 / DIRECTORY_FEE_STEP_SOL);
/* The API takes six digits before the point. */
const HIGHEST_MAX_FEE = 999_999.9;

export type DirectoryView = 'cards' | 'table';

/** The directory's state in the address. What has its default is left out, so that equal pages share an address. */
export interface DirectorySearch extends CallersFilter {
  readonly view?: 'table';
}

/** Reads the directory's state from the address; what makes no sense is dropped. */
export function readDirectorySearch(raw: Record<string, unknown>): DirectorySearch {
  const search = readText(raw['search']).slice(0, SEARCH_MAX_LENGTH).trimEnd();
  const sort = readText(raw['sort']);
  const maxFee = readMaxFee(raw['maxFee']);
  return {
    ...(search === '' ? {} : { search }),
    ...(isSort(sort) && sort !== DEFAULT_CALLER_SORT ? { sort } : {}),
    ...(raw['order'] === 'asc' ? { order: 'asc' } : {}),
    ...(maxFee === null ? {} : { maxFee }),
    ...(String(raw['verified']) === 'true' ? { verified: 'true' } : {}),
    ...(String(raw['paid']) === 'true' ? { paid: 'true' } : {}),
    ...(raw['view'] === 'table' ? { view: 'table' } : {}),
  };
}

/** What the API is asked for: all that it knows but how it is shown, whatever else stands in the address. */
export function filterOf(search: DirectorySearch): CallersFilter {
  const { view: _view, ...filter } = readDirectorySearch({ ...search });
  return filter;
}

/** Whether anything narrows the list (the order and the view do not). */
export function isNarrowed({ search, maxFee, verified, paid }: DirectorySearch): boolean {
  return Boolean(search ?? maxFee ?? verified ?? paid);
}

/** A fee as the API takes it: rounded to the step and written one way, '0.5' or '2'; null when it is none. */
export function readMaxFee(raw: unknown): string | null {
  const text = readText(raw);
  if (!/^(?:\d{1,6}(?:\.\d*)?|\.\d+)$/.test(text)) return null;
  return String(Math.min(Math.round(Number(text) * STEPS_PER_SOL) / STEPS_PER_SOL, HIGHEST_MAX_FEE));
}

function readText(raw: unknown): string {
  return typeof raw === 'string' || typeof raw === 'number' ? String(raw).trim() : '';
}

function isSort(text: string): text is CallerSort {
  return Object.hasOwn(sortLabels, text);
}
