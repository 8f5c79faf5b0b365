import { z } from 'zod';
import type { SubscriptionStatus } from '#schema/rules/subscription.ts';
import type { CallerSummary } from './callers.ts';
import { idSchema, signatureSchema } from './shared.ts';

const amountSchema = z.string().min(1).max(40);

/** Amounts are decimal strings in SOL; they are compared with the intent's, never trusted. */
export const paidSubscriptionSchema = z.object({
  callerId: idSchema,
  monthlyFee: amountSchema,
  platformFee: amountSchema,
  totalAmount: amountSchema,
  transactionId: signatureSchema,
});
export type PaidSubscriptionBody = z.infer<typeof paidSubscriptionSchema>;

export const freeSubscriptionSchema = z.object({ callerId: idSchema });

/** What was paid for a period: decimal strings in SOL, the transaction's signature, and where to look at it. */
export interface PaymentRecord {
  readonly monthlyFee: string;
  readonly platformFee: string;
  readonly totalAmount: string;
  readonly transactionId: string;
  readonly explorerUrl: string;
}

/** A period of a subscription. Times ISO 8601; an open (free) one has no end. */
export interface Subscription {
  readonly id: string;
  readonly subscriberId: string;
  readonly callerId: string;
  readonly caller: CallerSummary;
  readonly status: SubscriptionStatus;
  readonly startDate: string;
  readonly endDate: string | null;
  readonly isActive: boolean;
  readonly isCurrentlyActive: boolean;
  /** Decimal string in SOL; '0' for a free one. */
  readonly amountPaid: string;
  readonly payment: PaymentRecord | null;
}

/** A caller somebody follows, with what it takes to renew: one row a caller in `GET /api/subscriptions/my`. */
export interface MySubscription extends Subscription {
  readonly monthlyFee: string | null;
  readonly canBeSubscribed: boolean;
}
