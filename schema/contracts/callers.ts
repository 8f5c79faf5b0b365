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
