import { PRODUCT_NAME } from '#schema/constants/app.ts';
import { DAY_MS } from '#schema/constants/time.ts';
import { recapOf, weekStart } from '#schema/rules/calls/recap.ts';
import { profileSlug } from '#schema/rules/people/person-name.ts';
import { isListed } from '#schema/rules/people/standing.ts';
import { pluralize } from '#schema/rules/text/format.ts';
import type { Chats } from '../../../ports/chats.ts';
import type { Clock } from '../../../ports/clock.ts';
import { standingOf } from '../../money/callers/caller-standing.ts';
import { describeError } from '../../../shared/describe-error.ts';
import type { ShareImageService } from '../../public/shares/share-image.service.ts';
import type { ChatRow, ChatsRepository } from './chats.repository.ts';
import type { RecapsRepository } from './recaps.repository.ts';

export interface RecapsOptions {
  readonly repository: RecapsRepository;
  readonly callersChats: Pick<ChatsRepository, 'migrate'>;
  readonly images: Pick<ShareImageService, 'drawRecap'>;
  readonly chats: Pick<Chats, 'postImage'>;
  readonly clock: Clock;
  readonly appOrigin: string;
}

type Chat = Pick<ChatRow, 'chatId' | 'callerId' | 'twitterHandle'>;

export type RecapsService = ReturnType<typeof createRecapsService>;

export function createRecapsService(options: RecapsOptions) {
  const { repository, callersChats, images, chats, clock, appOrigin } = options;

  /** Returns false, without a post, if no call ended in the days before `until`. */
  const post = async (chat: Chat, until: number, days: number): Promise<boolean> => {
    const { chatId, callerId, twitterHandle } = chat;
    const recap = recapOf(await repository.listEnded({ callerId, from: until - days * DAY_MS, until }));
    if (recap.endedCalls === 0) return false;
    const period = until === weekStart(clock.now()) ? 'last week' : `in the last ${days} days`;
    const { png } = await images.drawRecap({ callerId, recap, period });
    const caption =
      `${pluralize(recap.endedCalls, 'call')} ended ${period}, losses included.\n` +
      `All calls on ${PRODUCT_NAME}: ${appOrigin}/caller/${profileSlug({ id: callerId, twitterHandle })}`;
    const result = await chats.postImage({ chatId, png, caption });
    if (result.status === 'moved') await callersChats.migrate({ from: chatId, to: result.newChatId });
    return true;
  };

  return {
    post,

    /**
     * On Mondays, posts the recap of the week before if the chat wants it and hasn't got it. If Telegram fails, the
     * chat gets no recap, because a second one would be worse. Returns whether the recap was due.
     */
    async postWeekly(chat: ChatRow): Promise<boolean> {
      const { chatId, postsRecap, recapAt } = chat;
      const now = clock.now();
      const monday = weekStart(now);
      const isDue = postsRecap && recapAt < monday && now < monday + DAY_MS;
      if (!isDue || !isListed(standingOf(chat))) return false;
      if (!(await repository.takeWeek({ chatId, monday }))) return false;
      await post(chat, monday, 7).catch((error: unknown) =>
        console.warn(JSON.stringify({ event: 'recap.not_posted', chatId, error: describeError(error) })),
      );
      return true;
    },
  };
}
