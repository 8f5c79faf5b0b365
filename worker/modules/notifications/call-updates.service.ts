import { SECOND_MS, UPDATES_WINDOW_MS } from '#schema/constants.ts';
import type { CallEventKind, SendUpdateAnswer, SendUpdateBody } from '#schema/contracts/notifications.ts';
import { readUpdateMessage } from '#schema/rules/telegram.ts';
import { createId } from '../../shared/ids.ts';
import type { Clock } from '../../ports/clock.ts';
import type { CallUpdatesRepository } from './call-updates.repository.ts';
import { createTooManyUpdatesError, createUpdateMessageError } from './notifications.errors.ts';

export interface OwnCallPort {
  /** @throws calls.not_found, calls.not_yours, calls.already_ended */
  assertOwnActive(question: { id: string; userId: string }): Promise<void>;
}

/** Messages to followers. */
export interface NotificationsPort {
  /** Never throws: the cron repeats what fails here. */
  notifySoon(event: { kind: CallEventKind; id: string }): Promise<void>;
  countRecipients(audience: { callerId: string; kind: CallEventKind }): Promise<number>;
}

export interface CallUpdatesOptions {
  readonly repository: CallUpdatesRepository;
  readonly calls: OwnCallPort;
  readonly notifications: NotificationsPort;
  readonly clock: Clock;
}

export function createCallUpdatesService({ repository, calls, notifications, clock }: CallUpdatesOptions) {
  /** Inserts an update unless the same text is there already. @throws what `send` throws */
  const write = async ({
    id,
    userId,
    body,
    text,
  }: {
    id: string;
    userId: string;
    body: SendUpdateBody;
    text: string;
  }): Promise<'written' | 'repeated'> => {
    const update = { callId: body.callId, callerId: userId, message: text, now: clock.now() };
    if (await repository.insert({ id, ...update })) return 'written';
    // Not inserted: throws the reason.
    await calls.assertOwnActive({ id: body.callId, userId });
    if (await repository.isRepeat(update)) return 'repeated';
    const oldest = await repository.findOldestOfFullWindow(update);
    const waitMs = oldest === null ? SECOND_MS : oldest + UPDATES_WINDOW_MS - update.now;
    throw createTooManyUpdatesError({ retryAfterSeconds: Math.ceil(waitMs / SECOND_MS) });
  };

  return {
    /**
     * Sends an update on the user's own active call to its followers. The same text again within the window gets the same
     * answer and is not sent twice.
     * @throws updates.message_invalid, updates.too_many and what `OwnCallPort` throws
     */
    async send({ userId, body }: { userId: string; body: SendUpdateBody }): Promise<SendUpdateAnswer> {
      const { text, problem } = readUpdateMessage(body.message);
      if (problem !== null) throw createUpdateMessageError(problem);
      const id = createId();
      if ((await write({ id, userId, body, text })) === 'written') {
        await notifications.notifySoon({ kind: 'call_update', id });
      }
      return {
        message: 'Update Sent',
        recipients: await notifications.countRecipients({ callerId: userId, kind: 'call_update' }),
      };
    },
  };
}
