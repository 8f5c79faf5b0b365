import { FOLLOWERS_PAGE_SIZE, QUEUE_BATCH_SIZE, SECOND_MS, UPDATES_WINDOW_MS } from '#schema/constants.ts';
import type { SendUpdateAnswer, SendUpdateBody } from '#schema/contracts/notifications.ts';
import { readUpdateMessage } from '#schema/rules/telegram.ts';
import { createId } from '../../app/ids.ts';
import type { Clock } from '../../ports/clock.ts';
import type { CallUpdatesRepository } from './call-updates.repository.ts';
import type { MessageOf, Notice, NotificationQueue } from './notification-message.ts';
import { createTooManyUpdatesError, createUpdateMessageError } from './notifications.errors.ts';
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

export interface CallUpdatesOptions {
  readonly repository: CallUpdatesRepository;
  readonly calls: OwnCallPort;
  readonly entitlement: FollowerEntitlementPort;
  readonly queue: NotificationQueue;
  readonly clock: Clock;
  readonly appOrigin: string;
}

export function createCallUpdatesService({ repository, calls, entitlement, queue, clock, appOrigin }: CallUpdatesOptions) {
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

    /** An update for one follower, unless it was taken back or they may not know any more. */
    async findNotice({ eventId, userId }: MessageOf<'call_update'>): Promise<Notice | null> {
      const update = await repository.find(eventId);
      if (!update || !(await entitlement.mayReadActiveCalls({ viewerId: userId, callerId: update.caller_id }))) return null;
      const text = composeUpdateText({
        callerName: `${update.first_name} ${update.last_name}`.trim(),
        callerHandle: update.twitter_handle,
        tokenSymbol: update.token_symbol,
        message: update.message,
        callUrl: `${appOrigin}/call/${update.call_id}`,
      });
      return { eventId, text };
    },
  };
}
