import type { CallEventKind } from '#schema/contracts/notifications.ts';
import type { WebhookBody } from '#schema/contracts/webhooks.ts';
import { isEndedStage } from '#schema/rules/access/renewal.ts';
import { formatSol } from '#schema/rules/money/lamports.ts';
import type { OutgoingEvent, RenewalEvent } from '../../../ports/outbox.ts';
import { nameOf } from '../../money/callers/caller-summary.ts';
import type { ComposedEvent } from '../delivery/prepare-batch.ts';
import type { CallEventRow, CallEventsRepository } from '../notifications/call-events.repository.ts';
import type { NoticesRepository } from '../notifications/notices.repository.ts';
import type { RenewalsService } from '../notifications/renewals.service.ts';

export interface ComposeWebhookOptions {
  readonly callEvents: Pick<CallEventsRepository, 'find'>;
  readonly notices: Pick<NoticesRepository, 'findPayment'>;
  readonly renewals: Pick<RenewalsService, 'compose'>;
}

const CALL_TYPES = {
  call_opened: 'call.opened',
  call_update: 'call.updated',
  call_ended: 'call.ended',
  level_hit: 'call.level_hit',
} as const satisfies Record<CallEventKind, string>;

export const isForWebhooks = (event: OutgoingEvent): boolean =>
  event.kind === 'call_event' ||
  event.kind === 'payment_received' ||
  (event.kind === 'renewal' && isEndedStage(event.stage));

/** Composes the body of an event with what is true now. Null if there is nothing to send anymore. */
export function createComposeWebhook({ callEvents, notices, renewals }: ComposeWebhookOptions) {
  const ofPayment = async (event: Parameters<typeof notices.findPayment>[0]): Promise<WebhookBody | null> => {
    const payment = await notices.findPayment(event);
    if (!payment) return null;
    const { twitter_handle: handle, first_name, last_name, paidAt, endsAt } = payment;
    const isPublic = handle !== null && first_name !== null && last_name !== null;
    return {
      type: 'payment.received',
      timestamp: iso(paidAt),
      data: {
        id: event.subject,
        version: paidAt,
        amount: formatSol(payment.callerLamports),
        subscriber: isPublic ? { handle, name: nameOf({ first_name, last_name }) } : null,
        paidUntil: iso(endsAt),
      },
    };
  };

  const ofRenewal = async (event: RenewalEvent): Promise<WebhookBody | null> => {
    const { callerId, endsAt } = event;
    if ((await renewals.compose(event)) === null) return null;
    return {
      type: 'subscription.ended',
      timestamp: iso(endsAt),
      data: { id: callerId, version: endsAt, callerId },
    };
  };

  return async (event: OutgoingEvent): Promise<ComposedEvent | null> => {
    if (event.kind === 'call_event') {
      const row = await callEvents.find(event.id);
      const body = row && describeCallEvent(row);
      return body && { text: JSON.stringify(body), switchKind: null, callerId: row.callerId };
    }
    if (event.kind !== 'renewal' && event.kind !== 'payment_received') return null;
    const body = event.kind === 'renewal' ? await ofRenewal(event) : await ofPayment(event);
    return body && { text: JSON.stringify(body), switchKind: null, callerId: null };
  };
}

const iso = (timestamp: number) => new Date(timestamp).toISOString();

/** Null for an opening, an update without its text or a level after the call's end. */
function describeCallEvent(row: CallEventRow): WebhookBody | null {
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
