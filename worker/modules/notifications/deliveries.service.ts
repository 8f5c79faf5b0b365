import { DELIVERY_LEASE_MS, SECOND_MS } from '#schema/constants.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Messenger } from '../../ports/messenger.ts';
import type { DeliveriesRepository } from './deliveries.repository.ts';
import type { DeliveryOutcome, MessageOf, Notice, NotificationMessage } from './notification-message.ts';
import type { TelegramLinksRepository } from './telegram-links.repository.ts';

/** Knows one kind of message: what is to be told now, or `null` where it is not true any more, or not theirs to know. */
interface NoticeSource<Kind extends NotificationMessage['kind']> {
  findNotice(message: MessageOf<Kind>): Promise<Notice | null>;
}

export interface DeliveriesOptions {
  readonly repository: DeliveriesRepository;
  readonly links: Pick<TelegramLinksRepository, 'findChat' | 'disconnectChat'>;
  readonly callUpdates: NoticeSource<'call_update'>;
  readonly renewals: NoticeSource<'renewal'>;
  readonly payoutChanges: NoticeSource<'payout_changed'>;
  readonly paymentNotices: NoticeSource<'payment_received'>;
  readonly messenger: Messenger;
  readonly clock: Clock;
}

const DONE: DeliveryOutcome = { status: 'done' };

/** The one way from the queue into a chat. */
export function createDeliveriesService({ repository, links, callUpdates, renewals, payoutChanges, paymentNotices, messenger, clock }: DeliveriesOptions) {
  const findNotice = (message: NotificationMessage): Promise<Notice | null> => {
    switch (message.kind) {
      case 'call_update':
        return callUpdates.findNotice(message);
      case 'renewal':
        return renewals.findNotice(message);
      case 'payout_changed':
        return payoutChanges.findNotice(message);
      case 'payment_received':
        return paymentNotices.findNotice(message);
    }
  };

  return {
    /**
     * Tells one recipient, unless there is nothing to tell them any more or they were told already. At least once: a
     * delivery whose end nobody saw is made again after the lease. @throws when Telegram fails; then try again.
     */
    async deliver(message: NotificationMessage): Promise<DeliveryOutcome> {
      const chatId = await links.findChat(message.userId);
      if (chatId === null) return DONE;
      const notice = await findNotice(message);
      if (!notice) return DONE;
      const delivery = { eventId: notice.eventId, chatId };
      if (!(await repository.claim({ ...delivery, now: clock.now() }))) {
        return (await repository.isDelivered(delivery)) ? DONE : { status: 'retry', delaySeconds: DELIVERY_LEASE_MS / SECOND_MS };
      }
      const result = await messenger.send({ chatId, text: notice.text }).catch(async (error: unknown) => {
        await repository.release(delivery);
        throw error;
      });
      if (result.status === 'sent') {
        await repository.markDelivered(delivery);
        return DONE;
      }
      await repository.release(delivery);
      if (result.status === 'rate_limited') return { status: 'rate_limited', delaySeconds: result.retryAfterSeconds };
      await links.disconnectChat(chatId);
      return DONE;
    },
  };
}
