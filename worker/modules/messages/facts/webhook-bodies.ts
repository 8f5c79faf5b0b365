import type { CallEventKind } from '#schema/contracts/notifications.ts';
import type { WebhookBody } from '#schema/contracts/webhooks.ts';
import { formatSol } from '#schema/rules/money/lamports.ts';
import { nameOf } from '../../money/callers/caller-summary.ts';
import type { CallEventRow } from '../notifications/call-events.repository.ts';
import type { FoundPayment } from './notices.repository.ts';
import type { FoundRenewal } from './renewals.service.ts';

const CALL_TYPES = {
  call_opened: 'call.opened',
  call_update: 'call.updated',
  call_ended: 'call.ended',
  level_hit: 'call.level_hit',
} as const satisfies Record<CallEventKind, string>;

const iso = (timestamp: number) => new Date(timestamp).toISOString();

/** Null for an opening, an update without its text or a level after the call's end. */
export function describeCallEvent(row: CallEventRow): WebhookBody | null {
  const { kind, endedAt, message } = row;
  const isOutdated = endedAt !== null && (kind === 'call_opened' || kind === 'level_hit');
  if (isOutdated || (kind === 'call_update' && message === null)) return null;
  return {
    type: CALL_TYPES[kind],
    timestamp: iso(row.at),
    data: {
      id: row.callId,
      version: row.at,
      caller: { id: row.callerId, handle: row.twitter_handle, name: nameOf(row) },
      tokenMint: row.tokenMint,
      tokenSymbol: row.tokenSymbol,
      tokenName: row.tokenName,
      entryPrice: row.entryPrice,
      targetPrice: row.targetPrice,
      stopPrice: row.stopPrice,
      thesis: row.thesis,
      isPaidPromotion: row.isPaidPromotion,
      openedAt: iso(row.calledAt),
      endPrice: row.endPrice,
      endedAt: endedAt === null ? null : iso(endedAt),
      changePercent: row.changePercent,
      message,
      level: row.level,
      levelPrice: row.levelPrice,
    },
  };
}

export function describePayment(payment: FoundPayment, paymentId: string): WebhookBody {
  const { twitter_handle: handle, first_name, last_name, callerLamports, paidAt, endsAt } = payment;
  const isPublic = handle !== null && first_name !== null && last_name !== null;
  return {
    type: 'payment.received',
    timestamp: iso(paidAt),
    data: {
      id: paymentId,
      version: paidAt,
      amount: formatSol(callerLamports),
      subscriber: isPublic ? { handle, name: nameOf({ first_name, last_name }) } : null,
      paidUntil: iso(endsAt),
    },
  };
}

export function describeSubscriptionEnd({ callerId, writtenEnd }: FoundRenewal): WebhookBody {
  return {
    type: 'subscription.ended',
    timestamp: iso(writtenEnd),
    data: { id: callerId, version: writtenEnd, callerId },
  };
}
