import type { NotificationKind } from '#schema/contracts/notifications.ts';
import type { CallNews } from './call-events.service.ts';
import type { DeliveriesRepository, Recipient } from './deliveries.repository.ts';
import type { FollowerEntitlementPort } from './fan-out.service.ts';
import type { MessageOf, Notice, NotificationMessage } from './notification-message.ts';

/** Knows one kind of message: what is to be told now, or `null` where it is not true any more, or not theirs to know. */
export interface NoticeSource<Kind extends NotificationMessage['kind']> {
  findNotice(message: MessageOf<Kind>): Promise<Notice | null>;
}

export interface DeliveryPlansOptions {
  readonly repository: Pick<DeliveriesRepository, 'listRecipients'>;
  readonly callEvents: { findNews(eventId: string): Promise<CallNews | null> };
  readonly entitlement: FollowerEntitlementPort;
  readonly renewals: NoticeSource<'renewal'>;
  readonly payoutChanges: NoticeSource<'payout_changed'>;
  readonly paymentNotices: NoticeSource<'payment_received'>;
}

export type PlanBatch = ReturnType<typeof createDeliveryPlans>;

/** What goes into which chat. */
export interface Plan extends Notice {
  readonly chatId: string;
}

/** Decides at the moment of sending what each of a batch's messages comes to. */
export function createDeliveryPlans({
  repository,
  callEvents,
  entitlement,
  renewals,
  payoutChanges,
  paymentNotices,
}: DeliveryPlansOptions) {
  const findOwnNotice = (
    message: Exclude<NotificationMessage, { kind: 'call_event' }>,
  ): Promise<Notice | null> => {
    switch (message.kind) {
      case 'renewal':
        return renewals.findNotice(message);
      case 'payout_changed':
        return payoutChanges.findNotice(message);
      case 'payment_received':
        return paymentNotices.findNotice(message);
    }
  };

  /** News of one event, with those of its followers who may know of it now. */
  const findNewsFor = async ({ eventId, userIds }: { eventId: string; userIds: readonly string[] }) => {
    const news = await callEvents.findNews(eventId);
    return (
      news && {
        ...news,
        entitled: new Set(await entitlement.entitledAmong({ viewerIds: userIds, callerId: news.callerId })),
      }
    );
  };

  /** Asks once for all of a batch. The answer plans one of its messages: `null` where there is nothing to tell, or nobody who wants it. */
  return (messages: readonly NotificationMessage[]) => {
    const recipients = repository.listRecipients(messages.map(({ userId }) => userId));
    const ofEvents = Map.groupBy(
      messages.filter((message) => message.kind === 'call_event'),
      ({ eventId }) => eventId,
    );
    const news = new Map(
      [...ofEvents].map(([eventId, those]) => [
        eventId,
        findNewsFor({ eventId, userIds: those.map(({ userId }) => userId) }),
      ]),
    );

    return async (message: NotificationMessage): Promise<Plan | null> => {
      const [recipient, found] = await Promise.all([
        recipients.then((known) => known.get(message.userId)),
        message.kind === 'call_event' ? news.get(message.eventId) : null,
      ]);
      if (!recipient) return null;
      if (message.kind === 'call_event') {
        const isWanted =
          found &&
          found.entitled.has(message.userId) &&
          !recipient.mutedCallers.has(found.callerId) &&
          !recipient.switchedOff.has(found.kind);
        return isWanted ? { eventId: message.eventId, text: found.text, chatId: recipient.chatId } : null;
      }
      if (isSwitchedOff(message, recipient)) return null;
      const notice = await findOwnNotice(message);
      return notice && { ...notice, chatId: recipient.chatId };
    };
  };
}

function isSwitchedOff(
  message: Exclude<NotificationMessage, { kind: 'call_event' }>,
  { switchedOff }: Recipient,
): boolean {
  const kind = kindOf(message);
  return kind !== null && switchedOff.has(kind);
}

/** Which switch is over a message; that a payout wallet changed is told in any case. */
function kindOf(message: Exclude<NotificationMessage, { kind: 'call_event' }>): NotificationKind | null {
  switch (message.kind) {
    case 'renewal':
      return message.stage === 'ended' ? 'subscription_expired' : 'subscription_expiring';
    case 'payout_changed':
      return null;
    case 'payment_received':
      return 'payment_received';
  }
}
