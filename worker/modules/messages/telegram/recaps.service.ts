import { DAY_MS, PRODUCT_NAME } from '#schema/constants.ts';
import { recapOf, weekStart } from '#schema/rules/calls/recap.ts';
import { pluralize } from '#schema/rules/text/format.ts';
import type { Chats } from '../../../ports/chats.ts';
import type { Clock } from '../../../ports/clock.ts';
import { describeError } from '../../../shared/describe-error.ts';
import type { ShareImageService } from '../../public/shares/share-image.service.ts';
import type { ChatChecks } from '../chats/chat-checks.ts';
import type { ChatsRepository } from '../chats/chats.repository.ts';
import type { OpenChat, RecapsRepository } from './recaps.repository.ts';

export interface RecapsOptions {
  readonly repository: RecapsRepository;
  readonly callersChats: Pick<ChatsRepository, 'find' | 'migrate'>;
  readonly checks: Pick<ChatChecks, 'check'>;
  readonly images: Pick<ShareImageService, 'drawRecap'>;
  readonly chats: Pick<Chats, 'postImage'>;
  readonly clock: Clock;
  readonly appOrigin: string;
}

/** Drawing takes up to half a second of CPU. */
const WEEKLY_PER_RUN = 10;

export type RecapsService = ReturnType<typeof createRecapsService>;

/** Recaps of callers' ended calls as images in their chats. */
export function createRecapsService(options: RecapsOptions) {
  const { repository, callersChats, checks, images, chats, clock, appOrigin } = options;

  /** Returns false, without a post, if no call ended in the days before `until`. */
  const post = async ({ chatId, callerId }: OpenChat, until: number, days: number): Promise<boolean> => {
    const recap = recapOf(await repository.listEnded({ callerId, from: until - days * DAY_MS, until }));
    if (recap.endedCalls === 0) return false;
    const period = until === weekStart(clock.now()) ? 'last week' : `in the last ${days} days`;
    const { png } = await images.drawRecap({ callerId, recap, period });
    const caption =
      `${pluralize(recap.endedCalls, 'call')} ended ${period}, losses included.\n` +
      `All calls on ${PRODUCT_NAME}: ${appOrigin}/caller/${callerId}`;
    const result = await chats.postImage({ chatId, png, caption });
    if (result.status === 'moved') await callersChats.migrate({ from: chatId, to: result.newChatId });
    return true;
  };

  const postWeekly = async (chat: OpenChat, monday: number): Promise<void> => {
    const row = await callersChats.find(chat.chatId);
    if (row !== null && (await checks.check(row))) await post(chat, monday, 7);
  };

  return {
    post,

    /**
     * On Mondays, posts recaps of the week before. A chat gets none if Telegram fails: a second one would be worse.
     * Returns the number of chats.
     */
    async postDue(): Promise<number> {
      const now = clock.now();
      const monday = weekStart(now);
      if (now >= monday + DAY_MS) return 0;
      const due = await repository.takeDue({ monday, limit: WEEKLY_PER_RUN });
      for (const chat of due) {
        await postWeekly(chat, monday).catch((error: unknown) =>
          console.warn(JSON.stringify({ event: 'recap.not_posted', ...chat, error: describeError(error) })),
        );
      }
      return due.length;
    },
  };
}
