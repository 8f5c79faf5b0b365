import type { MySubscription, Subscription } from '#schema/contracts/subscriptions.ts';
import { formatSol, isFreeFee } from '#schema/rules/lamports.ts';
import { coversMoment, subscriptionStatus } from '#schema/rules/subscription.ts';
import { describeCallerSummary } from '../../shared/caller-summary.ts';
import type { ExplorerUrl } from '../../shared/explorer-url.ts';
import type { SubscriptionRow } from './subscriptions.repository.ts';

/** When a period is looked at (unix ms), and how its transaction's link is made. */
export interface ViewContext {
  readonly now: number;
  readonly explorerUrl: ExplorerUrl;
}

/** A period as it goes over the wire. */
export function describeSubscription(row: SubscriptionRow, { now, explorerUrl }: ViewContext): Subscription {
  const period = { startsAt: row.starts_at, endsAt: row.ends_at };
  const status = subscriptionStatus(period, now);
  return {
    id: row.id,
    subscriberId: row.subscriber_id,
    callerId: row.caller_id,
    caller: describeCallerSummary(row.caller_id, row),
    status,
    startDate: new Date(row.starts_at).toISOString(),
    endDate: row.ends_at === null ? null : new Date(row.ends_at).toISOString(),
    isActive: status === 'active',
    isCurrentlyActive: coversMoment(period, now),
    amountPaid: formatSol(BigInt(row.total_lamports ?? 0)),
    payment: describePayment(row, explorerUrl),
  };
}

/** The latest period with a caller, and what it takes to renew it. A period that follows a running one is running too. */
export function describeMySubscription(row: SubscriptionRow, context: ViewContext): MySubscription {
  const described = describeSubscription(row, context);
  const isFree = isFreeFee(BigInt(row.fee_lamports));
  return {
    ...described,
    isCurrentlyActive: described.isActive,
    monthlyFee: isFree ? null : formatSol(BigInt(row.fee_lamports)),
    canBeSubscribed: isFree || row.payout_address !== null,
  };
}

function describePayment(row: SubscriptionRow, explorerUrl: ExplorerUrl): Subscription['payment'] {
  if (row.total_lamports === null || row.platform_lamports === null || row.signature === null) return null;
  const total = formatSol(BigInt(row.total_lamports));
  return {
    monthlyFee: total,
    platformFee: formatSol(BigInt(row.platform_lamports)),
    totalAmount: total,
    transactionId: row.signature,
    explorerUrl: explorerUrl(row.signature),
  };
}
