import { DELIVERY_LEASE_MS, FOLLOWERS_PAGE_SIZE, QUEUE_BATCH_SIZE, SECOND_MS, UPDATES_WINDOW_MS } from '#schema/constants.ts';
import type { SendUpdateAnswer, SendUpdateBody } from '#schema/contracts/notifications.ts';
import { readUpdateMessage } from '#schema/rules/telegram.ts';
import { createId } from '../../app/ids.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Messenger } from '../../ports/messenger.ts';
import type { CallUpdatesRepository } from './call-updates.repository.ts';
import type { DeliveryOutcome, NotificationMessage } from './notification-message.ts';
import { createTooManyUpdatesError, createUpdateMessageError } from './notifications.errors.ts';
import type { TelegramLinksRepository } from './telegram-links.repository.ts';
import { composeUpdateText } from './update-text.ts';

/** Whose call it is, and whether it can still be told about. */
export interface OwnCallPort {
  /** @throws calls.not_found, calls.not_yours, calls.already_ended */
  assertOwnActive(question: { id: string; userId: string }): Promise<void>;
}

/** Who may know of a caller's active calls now. */
export interface FollowerEntitlementPort {
  mayReadActiveCalls(question: { viewerId: string; callerId: string }): Promise<boolean>;
  /** Those of the viewers who may. */
  entitledAmong(question: { viewerIds: readonly string[]; callerId: string }): Promise<string[]>;
}

/** Takes messages (at most `QUEUE_BATCH_SIZE` at once) and hands each to `deliver`, at least once. */
export interface NotificationQueue {
  sendBatch(messages: readonly { readonly body: NotificationMessage }[]): Promise<unknown>;
}

export interface CallUpdatesOptions {
  readonly repository: CallUpdatesRepository;
  readonly links: Pick<TelegramLinksRepository, 'findChat' | 'disconnectChat'>;
  readonly calls: OwnCallPort;
  readonly entitlement: FollowerEntitlementPort;
  readonly queue: NotificationQueue;
  readonly messenger: Messenger;
  readonly clock: Clock;
  readonly appOrigin: string;
}

const DONE: DeliveryOutcome = { status: 'done' };

export function createCallUpdatesService({ repository, links, calls, entitlement, queue, messenger, clock, appOrigin }: CallUpdatesOptions) {
  /** Connected followers who may know, page by page. */
  async function* listRecipients(callerId: string): AsyncGenerator<string[]> {
    let page: string[] = [];
    do {
      page = await repository.listConnectedFollowers({ callerId, after: page.at(-1) ?? '', limit: FOLLOWERS_PAGE_SIZE });
      yield entitlement.entitledAmong({ viewerIds: page, callerId });
    } while (page.length === FOLLOWERS_PAGE_SIZE);
  }

  /** Puts one message a recipient into the queue. Returns how many there are. */
  const fanOut = async ({ eventId, callerId }: { eventId: string; callerId: string }): Promise<number> => {
    let recipients = 0;
    for await (const userIds of listRecipients(callerId)) {
      for (let at = 0; at < userIds.length; at += QUEUE_BATCH_SIZE) {
        await queue.sendBatch(userIds.slice(at, at + QUEUE_BATCH_SIZE).map((userId) => ({ body: { kind: 'call_update', eventId, userId } })));
      }
      recipients += userIds.length;
    }
    return recipients;
  };

  const countRecipients = async (callerId: string): Promise<number> => {
    let recipients = 0;
    for await (const userIds of listRecipients(callerId)) recipients += userIds.length;
    return recipients;
  };

  return {
    /**
     * Tells the followers of one's own active call something. The same words again within the window answer as the first
     * did, and nobody is told twice. @throws updates.message_invalid, updates.too_many and what `OwnCallPort` throws
     */
    async send({ userId, body }: { userId: string; body: SendUpdateBody }): Promise<SendUpdateAnswer> {
      const { text, problem } = readUpdateMessage(body.message);
      if (problem !== null) throw createUpdateMessageError(problem);
      const eventId = createId();
      const update = { callId: body.callId, callerId: userId, message: text, now: clock.now() };
      if (!(await repository.insert({ id: eventId, ...update }))) {
        // Says why not.
        await calls.assertOwnActive({ id: body.callId, userId });
        if (await repository.isRepeat(update)) return { message: 'Update Sent', recipients: await countRecipients(userId) };
        const oldest = await repository.findOldestOfFullWindow(update);
        const waitMs = oldest === null ? SECOND_MS : oldest + UPDATES_WINDOW_MS - update.now;
        throw createTooManyUpdatesError({ retryAfterSeconds: Math.ceil(waitMs / SECOND_MS) });
      }
      try {
        return { message: 'Update Sent', recipients: await fanOut({ eventId, callerId: userId }) };
      } catch (error) {
        // The caller is told that it failed and will send it again: what is queued already finds nothing to tell.
        await repository.remove(eventId);
        throw error;
      }
    },

    /**
     * Tells one recipient, unless they may not know any more or were told already. At least once: a
     * delivery whose end nobody saw is made again after the lease. @throws when Telegram fails; then try again.
     */
    async deliver({ eventId, userId }: NotificationMessage): Promise<DeliveryOutcome> {
      const update = await repository.find(eventId);
      const chatId = await links.findChat(userId);
      if (!update || chatId === null) return DONE;
      if (!(await entitlement.mayReadActiveCalls({ viewerId: userId, callerId: update.caller_id }))) return DONE;
      const delivery = { eventId, chatId };
      if (!(await repository.claim({ ...delivery, now: clock.now() }))) {
        return (await repository.isDelivered(delivery)) ? DONE : { status: 'retry', delaySeconds: DELIVERY_LEASE_MS / SECOND_MS };
      }
      const text = composeUpdateText({
        callerName: `${update.first_name} ${update.last_name}`.trim(),
        callerHandle: update.twitter_handle,
        tokenSymbol: update.token_symbol,
        message: update.message,
        profileUrl: `${appOrigin}/caller/${update.caller_id}`,
      });
      const result = await messenger.send({ chatId, text }).catch(async (error: unknown) => {
        await repository.release(delivery);
        throw error;
      });
      if (result.status === 'sent') {
        await repository.markDelivered({ ...delivery, now: clock.now() });
        return DONE;
      }
      await repository.release(delivery);
      if (result.status === 'rate_limited') return { status: 'rate_limited', delaySeconds: result.retryAfterSeconds };
      await links.disconnectChat(chatId);
      return DONE;
    },
  };
}
