import { UPDATES_WINDOW_MS } from '#schema/constants/messages.ts';
import { SECOND_MS } from '#schema/constants/time.ts';
import type { SendUpdateResponse, SendUpdateBody } from '#schema/contracts/notifications.ts';
import { isPosting } from '#schema/rules/access/telegram-chats.ts';
import { readUpdateMessage } from '#schema/rules/people/telegram.ts';
import type { Base } from '../../../app/base.ts';
import { AppError } from '../../../app/errors.ts';
import type { MessagesWriter } from '../../../ports/outbox.ts';
import { createId } from '../../../shared/ids.ts';
import { createChatsRepository } from '../chats/chats.repository.ts';
import { createCallUpdatesRepository, type NewUpdate } from './call-updates.repository.ts';
import type { CallsService } from '../../market/calls/calls.service.ts';
import type { RecipientsRepository } from '../facts/recipients.repository.ts';

export interface CallUpdatesOptions extends Pick<Base, 'db' | 'clock'> {
  readonly calls: CallsService;
  readonly messages: MessagesWriter;
  readonly recipients: RecipientsRepository;
}

export type CallUpdatesService = ReturnType<typeof createCallUpdatesService>;

export function createCallUpdatesService(options: CallUpdatesOptions) {
  const { db, calls, messages, recipients, clock } = options;
  const repository = createCallUpdatesRepository(db);
  const chats = createChatsRepository(db);
  /** Returns false if the same text was sent within the last `UPDATES_WINDOW_MS`. @throws the errors of `send` */
  const insert = async (id: string, update: NewUpdate): Promise<boolean> => {
    if (await repository.insert({ id, ...update })) return true;
    await calls.assertOwnActive({ id: update.callId, userId: update.callerId });
    if (await repository.isRepeat(update)) return false;
    if (await repository.isCallFull(update.callId)) throw new AppError({ code: 'updates.call_full' });
    const oldest = await repository.findOldestOfFullWindow(update);
    const waitMs = oldest === null ? SECOND_MS : oldest + UPDATES_WINDOW_MS - update.now;
    throw new AppError({ code: 'updates.too_many', waitMs });
  };

  return {
    /**
     * Sends an update on the user's own active call to the followers. A text that is repeated within
     * `UPDATES_WINDOW_MS` gets the same response and is not sent again.
     * @throws updates.message_invalid, updates.too_many, updates.call_full and what `assertOwnActive` throws
     */
    async send({ userId, body }: { userId: string; body: SendUpdateBody }): Promise<SendUpdateResponse> {
      const { text, problem } = readUpdateMessage(body.message);
      if (problem !== null) throw new AppError({ code: 'updates.message_invalid', message: problem });
      const id = createId();
      const update = { callId: body.callId, callerId: userId, message: text, now: clock.now() };
      if (await insert(id, update)) await messages.writeSoon();
      const audience = { callerId: userId, kind: 'call_update', now: clock.now() } as const;
      const [count, connected] = await Promise.all([
        recipients.countFollowers(audience),
        chats.findOfCaller(userId),
      ]);
      const reached = connected.filter(isPosting).map(({ kind, members }) => ({ kind, members }));
      return { message: 'Update Sent', recipients: count, chats: reached };
    },
  };
}
