import { z } from 'zod';
import type { SubscriptionStatus } from '#schema/rules/access/subscription.ts';
import type { PeriodDays } from '#schema/rules/money/lengths.ts';
import type { HasName } from '#schema/rules/people/person-name.ts';
import type { CallerSummary } from './callers.ts';
import { idSchema, pageQuerySchema, signatureSchema } from './shared.ts';

const amountSchema = z.string().min(1).max(40);

/** Amounts are decimal strings in SOL. The server only checks that they equal the intent's amounts. */
export const paidSubscriptionSchema = z.object({
  callerId: idSchema,
  monthlyFee: amountSchema,
  platformFee: amountSchema,
  totalAmount: amountSchema,
  transactionId: signatureSchema,
});
export type PaidSubscriptionBody = z.infer<typeof paidSubscriptionSchema>;

export const freeSubscriptionSchema = z.object({ callerId: idSchema });

/**
 * `running`: those who pay now, the first end first. `ending`: those of them whose time ends within 7 days. `ended`: those
 * whose time has ended in the last 30 days, the last end first.
 */
export const SUBSCRIBER_FILTERS = ['running', 'ending', 'ended'] as const;
export type SubscriberFilter = (typeof SUBSCRIBER_FILTERS)[number];

export const subscribersQuerySchema = pageQuerySchema.extend({
  show: z.enum(SUBSCRIBER_FILTERS).default('running'),
});

/** The people who pay a caller: the payment dialog says before paying that the caller sees this. */
export type SubscriberName = HasName;

/** A person who pays the caller. Times are ISO 8601. */
export interface Subscriber {
  readonly id: string;
  /** Null once the account is deleted. */
  readonly subscriber: SubscriberName | null;
  /** The time of the first payment. */
  readonly since: string;
  readonly until: string;
  /** The later payments, without refunded ones. */
  readonly renewals: number;
}

export interface PaymentRecord {
  readonly days: PeriodDays;
  readonly payerAddress: string;
  readonly monthlyFee: string;
  readonly platformFee: string;
  readonly totalAmount: string;
  readonly transactionId: string;
  readonly intentId: string;
  readonly explorerUrl: string;
}

/** A period of a subscription. Times are ISO 8601; a free period may have no end. */
export interface Subscription {
  readonly id: string;
  readonly subscriberId: string;
  readonly callerId: string;
  readonly caller: CallerSummary;
  readonly status: SubscriptionStatus;
  readonly startDate: string;
  readonly endDate: string | null;
  /** The caller's silent days that are part of `endDate`. */
  readonly silentDays: number;
  readonly isActive: boolean;
  readonly isCurrentlyActive: boolean;
  /** Decimal string in SOL; '0' for a free period. */
  readonly amountPaid: string;
  readonly payment: PaymentRecord | null;
}

/**
 * The access to a caller, from the running period's start to the latest end, with the terms for renewing it. `GET
 * /api/subscriptions/my` returns one per caller.
 */
export interface MySubscription extends Subscription {
  readonly monthlyFee: string | null;
  readonly canBeSubscribed: boolean;
  /** True if this is a free follow that the user can end. */
  readonly canUnfollow: boolean;
}
