import { z } from 'zod';
import { CALLER_SORTS, DEFAULT_CALLER_SORT, SEARCH_MAX_LENGTH } from '#schema/constants.ts';
import { cursorSchema, limitSchema } from './shared.ts';

export type CallerSort = (typeof CALLER_SORTS)[number];

/** Query of `GET /api/callers`. Unknown parameters are refused, so that equal pages share one address. */
export const callersQuerySchema = z.strictObject({
  search: z.string().trim().max(SEARCH_MAX_LENGTH).optional(),
  sort: z.enum(CALLER_SORTS).default(DEFAULT_CALLER_SORT),
  order: z.enum(['asc', 'desc']).default('desc'),
  /** In SOL, one decimal. */
  maxFee: z
    .string()
    .regex(/^(?:0|[1-9]\d{0,5})(?:\.[1-9])?$/, 'maxFee is a number in SOL in steps of 0.1.')
    .optional(),
  verified: z.literal('true').optional(),
  paid: z.literal('true').optional(),
  limit: limitSchema.optional(),
  cursor: cursorSchema.optional(),
});
export type CallersQuery = z.output<typeof callersQuerySchema>;

/** The person behind a call, as everyone may see them. */
export interface CallerSummary {
  readonly id: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly twitterHandle: string;
  readonly profileImageUrl: string | null;
  readonly isVerified: boolean;
}

/** One point of the sparkline. Prices are decimal strings in USD, the time ISO 8601. */
export interface RecentCall {
  readonly entryPrice: string;
  readonly endPrice: string;
  readonly callTimestamp: string;
}

/** A caller in the directory. Rates are percent; null before the first ended call. */
export interface CallerListItem extends CallerSummary {
  /** Decimal string in SOL; null is Free. */
  readonly monthlyFee: string | null;
  readonly winRate: number | null;
  readonly avgReturn: number | null;
  /** The win rate over ranked calls that is certain with 95% confidence (`provenRate`). */
  readonly provenRate: number | null;
  readonly totalCalls: number;
  readonly endedCalls: number;
  readonly subscriberCount: number;
  /** When the newest ended call ended (an active call's time is not public). */
  readonly lastCallTimestamp: string | null;
  /** A Paid caller without a proven payout wallet cannot be subscribed to yet. */
  readonly canBeSubscribed: boolean;
  /** The last ended calls, oldest first. */
  readonly recentCalls: readonly RecentCall[];
}

/** A caller's public profile with what the viewer may do there. */
export interface CallerProfile extends Omit<CallerListItem, 'recentCalls'> {
  readonly bio: string | null;
  readonly createdAt: string;
  readonly activeCallCount: number;
  readonly payoutAddress: string | null;
  readonly viewer: {
    readonly isOwner: boolean;
    readonly isSubscribed: boolean;
    readonly canSeeActiveCalls: boolean;
    /** End of the viewer's current access, where it has one. */
    readonly accessEndsAt: string | null;
  };
  /** Owner only: what all payments brought in, decimal string in SOL. */
  readonly earnings?: string;
}

/**
 * What ranked calls that ended within a window say of a caller. Percents; `null` where there is nothing to say it of.
 * `schema/rules/performance.ts` defines each.
 */
export interface WindowStatistics {
  readonly endedCalls: number;
  readonly winRate: number | null;
  readonly provenRate: number | null;
  readonly medianReturn: number | null;
  readonly bestReturn: number | null;
  readonly worstReturn: number | null;
  /** The share of calls that ended at twice their entry or more. */
  readonly doubledShare: number | null;
  /** The deepest fall from an earlier height of one stake that goes from call to call; 0 or below. */
  readonly maxDrawdown: number | null;
  /** Mean of peak / entry, over the calls whose peak was followed. */
  readonly averagePeakMultiple: number | null;
  /** Of how many calls the peak was followed. */
  readonly followedCalls: number;
}

export type StatisticsWindow = '30d' | '90d' | 'all';

/** `GET /api/callers/{usernameOrId}/statistics`. */
export interface CallerStatistics {
  readonly windows: Readonly<Record<StatisticsWindow, WindowStatistics>>;
  /** Ended calls that count for none of this, because their token had too little liquidity at entry. */
  readonly unrankedCalls: number;
  /** Ranked ended calls, oldest end first, for the curve. */
  readonly returns: readonly { readonly at: string; readonly changePercent: number }[];
  /** Open ranked calls at their last known prices; null for who may not see them. */
  readonly openCalls: {
    readonly count: number;
    readonly pricedCount: number;
    readonly averageReturn: number | null;
  } | null;
}
