import { MONTH_DAYS } from '#schema/constants/money.ts';
import type { MySubscription, Subscription } from '#schema/contracts/subscriptions.ts';
import { formatFee, formatSol } from '#schema/rules/money/lamports.ts';
import {
  canUnfollow,
  isPeriodActiveAt,
  subscriptionStatus,
  type Period,
} from '#schema/rules/access/subscription.ts';
import { daysAdded } from '#schema/rules/access/silence.ts';
import { canBeSubscribed } from '../callers/caller-standing.ts';
import { describeCallerSummary } from '../callers/caller-summary.ts';
import type { Base } from '../../../app/base.ts';
import type { SubscriptionRow } from './subscriptions.repository.ts';

export interface ViewContext {
  readonly now: number;
  readonly explorerUrl: Base['explorerUrl'];
}

export function describeSubscription(row: SubscriptionRow, { now, explorerUrl }: ViewContext): Subscription {
  const period = periodOf(row);
  const status = subscriptionStatus(period, now);
  return {
    id: row.id,
    subscriberId: row.subscriber_id,
    callerId: row.caller_id,
    caller: describeCallerSummary(row.caller_id, row),
    status,
    startDate: new Date(row.starts_at).toISOString(),
    endDate: row.ends_at === null ? null : new Date(row.ends_at).toISOString(),
    silentDays: daysAdded({ endsAt: row.ends_at, writtenEnd: row.written_end }),
    isActive: status === 'active',
    isCurrentlyActive: isPeriodActiveAt(period, now),
    amountPaid: formatSol(row.total_lamports ?? 0n),
    payment: describePayment(row, explorerUrl),
  };
}

/**
 * Describes the access to a caller, and the price of a renewal: from the start of the running period until the end of
 * the latest one, because periods follow each other without a gap. `row` is the latest period.
 */
export function describeMySubscription(
  row: SubscriptionRow,
  { unended, ...context }: ViewContext & { readonly unended: readonly Period[] },
): MySubscription {
  const described = describeSubscription(row, context);
  return {
    ...described,
    startDate: new Date(Math.min(row.starts_at, ...unended.map(({ startsAt }) => startsAt))).toISOString(),
    isCurrentlyActive: described.isActive,
    monthlyFee: formatFee(row.fee_lamports),
    canBeSubscribed: canBeSubscribed(row),
    canUnfollow: canUnfollow([{ ...periodOf(row), isPaid: row.signature !== null }], context.now),
  };
}

const periodOf = (row: SubscriptionRow): Period => ({ startsAt: row.starts_at, endsAt: row.ends_at });

function describePayment(row: SubscriptionRow, explorerUrl: Base['explorerUrl']): Subscription['payment'] {
  if (row.total_lamports === null || row.platform_lamports === null || row.signature === null) return null;
  return {
    days: row.days ?? MONTH_DAYS,
    payerAddress: row.payer_address ?? '',
    monthlyFee: formatSol(row.feeLamports ?? row.total_lamports),
    platformFee: formatSol(row.platform_lamports),
    totalAmount: formatSol(row.total_lamports),
    transactionId: row.signature,
    intentId: row.intent_id ?? '',
    explorerUrl: explorerUrl(row.signature),
  };
}
