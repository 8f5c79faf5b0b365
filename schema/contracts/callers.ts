import { z } from 'zod';
import { SEARCH_MAX_LENGTH } from '#schema/constants/app.ts';
import {
  CALCULATOR_STAKE_USD,
  CALLER_SORTS,
  DEFAULT_CALLER_SORT,
  DIRECTORY_PAGE_SIZE,
  MAX_CALCULATOR_STAKE_USD,
  MAX_COMPARED_CALLERS,
} from '#schema/constants/market.ts';
import { MAX_PAPER_FOLLOWS } from '#schema/constants/people.ts';
import type { HoldingsSummary } from '#schema/rules/calls/call-holdings.ts';
import type { AfterFee } from '#schema/rules/calls/after-fee.ts';
import type { Calculation, CopiedCall, CopiedCaller } from '#schema/rules/calls/calculator.ts';
import type { ComparedResults } from '#schema/rules/calls/compare-results.ts';
import type { MicroCapRecord } from '#schema/rules/calls/micro-caps.ts';
import type { OpenCalls } from '#schema/rules/calls/open-calls.ts';
import type { ProvenFigures } from '#schema/rules/calls/proven.ts';
import type { PeriodDays } from '#schema/rules/money/lengths.ts';
import type { HasName } from '#schema/rules/people/person-name.ts';
import { normalizeSearch } from '#schema/rules/text/search.ts';
import { cursorSchema, limitSchema } from './shared.ts';

export type CallerSort = (typeof CALLER_SORTS)[number];

/**
 * Query of `GET /api/callers`. Unknown parameters are refused, so that equal pages share a cache key. An
 * empty search counts as no search. A search has one order, because its index has.
 */
export const callersQuerySchema = z
  .strictObject({
    search: z
      .string()
      .max(SEARCH_MAX_LENGTH)
      .transform(normalizeSearch)
      .pipe(z.string().max(SEARCH_MAX_LENGTH))
      .default(''),
    sort: z.enum(CALLER_SORTS).default(DEFAULT_CALLER_SORT),
    order: z.enum(['asc', 'desc']).default('desc'),
    /** The maximum fee in SOL, with one decimal. */
    maxFee: z
      .string()
      .regex(/^(?:0|[1-9]\d{0,5})(?:\.[1-9])?$/, 'Use a number in SOL in steps of 0.1, such as 0.5.')
      .optional(),
    verified: z.literal('true').optional(),
    paid: z.literal('true').optional(),
    /** Callers with at least MIN_MICRO_CAPS_LISTED ended calls on micro-caps. */
    microCaps: z.literal('true').optional(),
    limit: limitSchema.default(DIRECTORY_PAGE_SIZE),
    cursor: cursorSchema.optional(),
  })
  .refine(
    ({ microCaps, sort, order }) =>
      microCaps === undefined || (sort === DEFAULT_CALLER_SORT && order === 'desc'),
    {
      path: ['microCaps'],
      error: 'Callers of micro-caps have only the default order: leave out sort and order.',
    },
  )
  .refine(({ search, sort }) => search === '' || sort === DEFAULT_CALLER_SORT, {
    path: ['search'],
    error: 'Searches have only the order by average return: leave out sort.',
  });
export type CallersQuery = z.output<typeof callersQuerySchema>;

export interface CallerSummary extends HasName {
  readonly id: string;
  /** A path on our own site (`/api/images/…`), as in all responses. */
  readonly profileImageUrl: string | null;
  readonly isVerified: boolean;
}

export interface RecentCall {
  readonly entryPrice: string;
  readonly endPrice: string;
  readonly callTimestamp: string;
}

/** A caller in the directory. Rates are percentages of ended ranked calls. They are null until the first such call. */
export interface CallerListItem extends CallerSummary, ProvenFigures {
  /** Decimal string in SOL; null means Free. */
  readonly monthlyFee: string | null;
  readonly winRate: number | null;
  readonly avgReturn: number | null;
  readonly totalCalls: number;
  readonly endedCalls: number;
  /** The number of ended ranked calls. */
  readonly rankedCalls: number;
  /** The mean result of 1,000 USD in the newest ended ranked calls, one minute late, in percent. */
  readonly followerReturn: number | null;
  /** The number of these calls with a result, and without one. */
  readonly followerCalls: number;
  readonly callsWithoutResult: number;
  /** The results that count in Proven, after the caller's fee. */
  readonly afterFee: AfterFee;
  /**
   * The value behind the order `afterFee`: the gain beyond SOL with 1,000 USD per call minus the fee, in percent a month of the
   * most money at one time. It was computed at the last result or change of the fee. Null if it's too early to say.
   */
  readonly afterFeePercent: number | null;
  /** Proven is above 0, and the caller opened or ended a ranked call in the last 30 days. First in orders by a rate or return. */
  readonly isLeading: boolean;
  /** People with a running paid period that counts: 30 days or more, a commission of 0.005 SOL or more, not refunded. */
  readonly subscriberCount: number;
  /** All other people with access. */
  readonly followerCount: number;
  /** Time of the caller's last ended call. The times of active calls aren't public. */
  readonly lastCallTimestamp: string | null;
  readonly lastRankedCallTimestamp: string | null;
  /** False for a Paid caller without a verified payout wallet. */
  readonly canBeSubscribed: boolean;
  readonly recentCalls: readonly RecentCall[];
}

export type { CopiedCall };

/** Response of `GET /api/callers/{usernameOrId}/results`. The newest CALCULATOR_CALLS ended ranked calls with marks. */
export interface CallerResults extends CopiedCaller {
  /** Null if no call is open. */
  readonly openCalls: OpenCalls | null;
}

/** Handles and ids, separated by commas. Sorted, so that equal requests share a cache key. */
const namesSchema = (max: number) =>
  z
    .string()
    .transform((text) => [...new Set(text.toLowerCase().split(',').filter(Boolean))].toSorted())
    .pipe(z.array(z.string().max(SEARCH_MAX_LENGTH)).min(1).max(max));

const daySchema = z.iso.date().optional();

export const resultsQuerySchema = z.strictObject({
  callers: namesSchema(MAX_PAPER_FOLLOWS),
  /** Leaves out calls that ended earlier, except one with SOL's price before this day (UTC). */
  since: daySchema,
});
export type ResultsQuery = z.output<typeof resultsQuerySchema>;

/** One caller in the response of `GET /api/results`, which leaves out callers whom it doesn't find. */
export interface FoundResults extends CallerResults {
  readonly caller: Omit<CallerListItem, 'recentCalls'>;
}

export const comparisonQuerySchema = z.strictObject({
  callers: namesSchema(MAX_COMPARED_CALLERS),
  /** Whole USD per call. */
  amount: z.coerce.number().int().min(1).max(MAX_CALCULATOR_STAKE_USD).default(CALCULATOR_STAKE_USD),
  since: daySchema,
});
export type ComparisonQuery = z.output<typeof comparisonQuerySchema>;

/** Response of `GET /api/comparison`. Leaves out callers whom it doesn't find. */
export interface Comparison extends Omit<ComparedResults<unknown>, 'callers'> {
  readonly callers: readonly ComparedCaller[];
}

export interface ComparedCaller extends Pick<FoundResults, 'caller' | 'openCalls'> {
  readonly result: Omit<Calculation, 'points'>;
}

export interface CallerProfile extends Omit<CallerListItem, 'recentCalls'> {
  readonly bio: string | null;
  /** Operators have suspended or hidden this caller. There are no new subscriptions, and lists leave the caller out. */
  readonly isSuspended: boolean;
  /** The account will be deleted then (ISO 8601). There are no new calls and subscriptions. */
  readonly deletesAt: string | null;
  /** The last activity of a caller whose silence extends the subscriptions (ISO 8601). Null for other callers. */
  readonly silentSince: string | null;
  readonly createdAt: string;
  readonly activeCallCount: number;
  readonly payoutAddress: string | null;
  /** A better-known caller whose handle or name looks alike. Null if there is none. */
  readonly lookAlike: CallerSummary | null;
  /** The caller who had this handle until `until` (ISO 8601), if it has moved within FORMER_HOLDER_SHOWN_MS. */
  readonly formerHolder: (CallerSummary & { readonly until: string }) | null;
  readonly viewer: {
    readonly isOwner: boolean;
    readonly isSubscribed: boolean;
    readonly canSeeActiveCalls: boolean;
    /** End of the viewer's access, ISO 8601. Null without access, and for access without an end. */
    readonly accessEndsAt: string | null;
    /** The days that the viewer bought last. Null if nothing was paid for this access. */
    readonly boughtDays: PeriodDays | null;
    /** True if the viewer follows for free and may unfollow. */
    readonly canUnfollow: boolean;
  };
  /** Total earnings, decimal string in SOL. Only in the caller's own profile. */
  readonly earnings?: string;
}

/**
 * Statistics of the ranked calls that ended within a window, in percent. Null if there are none. Defined in
 * `schema/rules/calls/performance.ts`.
 */
export interface WindowStatistics {
  readonly endedCalls: number;
  readonly meanReturn: number | null;
  readonly medianReturn: number | null;
  readonly bestReturn: number | null;
  readonly worstReturn: number | null;
  readonly shareOfDoubledCalls: number | null;
  /** The sum of gains divided by the sum of losses. Null without a losing call. */
  readonly profitFactor: number | null;
  /** The mean of peak / entry over all calls with a known peak. */
  readonly averagePeakMultiple: number | null;
  readonly followedCalls: number;
}

export type StatisticsWindow = '30d' | '90d' | 'all';

/** Response of `GET /api/callers/{usernameOrId}/statistics`. */
export interface CallerStatistics {
  readonly windows: Readonly<Record<StatisticsWindow, WindowStatistics>>;
  readonly unrankedCalls: number;
  /** The number of unranked calls on micro-caps. */
  readonly microCapCalls: number;
  /** "Micro-caps (not ranked)". Null with fewer than MIN_MICRO_CAP_RECORD ended calls on micro-caps. */
  readonly microCaps: MicroCapRecord | null;
  /** The number of ranked calls whose gain counts as 0%. */
  readonly uncountedGains: number;
  /**
   * The return of open ranked calls at their last known prices. Null for viewers who may not see them: they only know
   * the number of all open calls (`activeCallCount` of the profile).
   */
  readonly openCalls: {
    readonly count: number;
    readonly microCapCount: number;
    readonly pricedCount: number;
    readonly averageReturn: number | null;
  } | null;
  /**
   * Buys and sales by the caller's verified wallets in the newest HOLDINGS_SUMMED_CALLS ended calls. Null until
   * the chain has been read for at least one of these calls.
   */
  readonly holdings: HoldingsSummary | null;
}
