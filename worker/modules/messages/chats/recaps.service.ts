import { PRODUCT_NAME } from '#schema/constants/app.ts';
import { DAY_MS } from '#schema/constants/time.ts';
import { describeOpenCalls } from '#schema/rules/calls/open-calls.ts';
import { recapOf, weekStart } from '#schema/rules/calls/recap.ts';
import { profileSlug } from '#schema/rules/people/person-name.ts';
import { isListed } from '#schema/rules/people/standing.ts';
import { pluralize } from '#schema/rules/text/format.ts';
import type { Base } from '../../../app/base.ts';
import { standingOf } from '../../money/callers/caller-standing.ts';
import { describeError } from '../../../shared/describe-error.ts';
import { readOpenCalls } from '../../market/calls/open-calls.repository.ts';
import type { ShareImageService } from '../../public/shares/share-image.service.ts';
import { createChatsRepository, type ChatRow } from './chats.repository.ts';
import { createRecapsRepository } from './recaps.repository.ts';

export interface RecapsOptions extends Pick<Base, 'db' | 'chats' | 'clock' | 'vars'> {
  readonly images: ShareImageService;
}

export type RecapsService = ReturnType<typeof createRecapsService>;

export function createRecapsService({ db, images, chats, clock, vars }: RecapsOptions) {
  const repository = createRecapsRepository(db);
  const connected = createChatsRepository(db);

  /** Returns false, without a post, if no call ended in the days before `until`. */
  const post = async (chat: ChatRow, until: number, days: number): Promise<boolean> => {
    const { chatId, topicId, callerId, twitterHandle } = chat;
    const recap = recapOf(await repository.listEnded({ callerId, from: until - days * DAY_MS, until }));
    if (recap.endedCalls === 0) return false;
    const period = until === weekStart(clock.now()) ? 'last week' : `in the last ${days} days`;
    const openCalls = describeOpenCalls(await readOpenCalls(db, callerId));
    const { png } = await images.drawRecap({ callerId, recap, period });
    const caption =
      `${pluralize(recap.endedCalls, 'call')} ended ${period}, losses included. ${openCalls}\n` +
      `All calls on ${PRODUCT_NAME}: ${vars.APP_ORIGIN}/caller/${profileSlug({ id: callerId, twitterHandle })}`;
    const result = await chats.postImage({ chatId, topicId, png, caption });
    if (result.status === 'moved') await connected.migrate({ from: chatId, to: result.newChatId });
    if (result.status === 'topic_refused') {
      await connected.changeTopic({ chatId, topicId, topicProblem: result.problem });
    }
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
