import { CHAT_CHECK_MS } from '#schema/constants/messages.ts';
import { findChatProblem, mayPost, type ChatFacts, type Found } from '#schema/rules/access/telegram-chats.ts';
import type { Base } from '../../../app/base.ts';
import type { NewFact } from '../../log/facts.repository.ts';
import { describeError } from '../../../shared/describe-error.ts';
import { createChatsRepository, type ChatRow } from './chats.repository.ts';
import type { RecapsService } from './recaps.service.ts';

interface ChatChecksOptions extends Pick<Base, 'db' | 'chats' | 'clock'> {
  readonly recaps: RecapsService;
}

export type ChatChecks = ReturnType<typeof createChatChecks>;

/** The chats that one run of the cron checks, with three or four requests to Telegram each, and as many about a channel’s discussion group. */
const CHECKED_PER_RUN = 50;
/** Drawing a recap takes up to half a second of CPU. Further chats get their recap with their next check. */
const RECAPS_PER_RUN = 10;

export function createChatChecks({ db, chats, recaps, clock }: ChatChecksOptions) {
  const repository = createChatsRepository(db);
  const createLink = async (chatId: string, facts: Found<ChatFacts>): Promise<string | null> => {
    if (typeof facts === 'string' || !facts.rights?.canInvite) return null;
    return chats.createJoinLink(chatId).catch(() => null);
  };

  /** Somebody may have revoked the link, which Telegram doesn't report. */
  const findLink = async ({ chatId, joinLink, linkCheckedAt }: ChatRow, facts: Found<ChatFacts>) => {
    const now = clock.now();
    if (joinLink === null) return { joinLink: await createLink(chatId, facts), linkCheckedAt: now };
    if (typeof facts === 'string' || !facts.rights?.canInvite || linkCheckedAt > now - CHAT_CHECK_MS) {
      return {};
    }
    const isValid = await chats.isLinkValid(chatId, joinLink).catch(() => true);
    return { joinLink: isValid ? joinLink : await createLink(chatId, facts), linkCheckedAt: now };
  };

  const checkDiscussion = async (
    { kind, otherChatId }: ChatRow,
    facts: Found<ChatFacts>,
  ): Promise<boolean> => {
    if (typeof facts === 'string' || kind !== 'channel') return false;
    if (otherChatId === null || facts.linkedChatId !== otherChatId) return false;
    const group = await repository.find(otherChatId);
    return group !== null && check(group);
  };

  /**
   * Stores a chat's title, link and problem, and tells its caller about a new problem. Returns whether calls may be posted there.
   * @throws if Telegram doesn't respond
   */
  const check = async (chat: ChatRow): Promise<boolean> => {
    const facts = await chats.find(chat.chatId);
    const read = { chat, facts, isDiscussionAllowed: await checkDiscussion(chat, facts) };
    const now = clock.now();
    const problem = findChatProblem(read);
    const { title, linkedChatId, members } =
      typeof facts === 'string' ? { title: chat.title, linkedChatId: null, members: null } : facts;
    // `checkedAt` makes simultaneous checks send one notice. A change of the fee sets it to 0, so `chargesSince` is needed, too.
    const subject = `${chat.chatId}:${problem}:${chat.checkedAt}:${chat.chargesSince}`;
    const told: NewFact = { kind: 'chat_problem', subject, userId: chat.callerId, at: now };
    const isNewProblem = problem !== null && problem !== chat.problem;
    const link = await findLink(chat, facts);
    const found = { chatId: chat.chatId, title, problem, linkedChatId, members, ...link, now };
    await repository.saveCheck(found, isNewProblem ? [told] : []);
    return mayPost(read);
  };

  const checkOrPostpone = async (chat: ChatRow): Promise<boolean> => {
    try {
      return await check(chat);
    } catch (error) {
      const { chatId } = chat;
      console.warn(JSON.stringify({ event: 'chat.unchecked', chatId, error: describeError(error) }));
      await repository.saveCheck({ chatId, now: clock.now() });
      return false;
    }
  };

  return {
    check,

    /** Replaces the link for subscribers. */
    async renewLink(chat: ChatRow): Promise<void> {
      const { chatId, joinLink } = chat;
      if (joinLink !== null) await chats.revokeLink(chatId, joinLink);
      await check({ ...chat, joinLink: null });
    },

    async checkAllOf(callerId: string): Promise<void> {
      // Groups first: the check of a channel also checks its group, and would create a second link if this loop did so later.
      for (const chat of (await repository.findOfCaller(callerId)).toReversed()) await check(chat);
    },

    /** Checks the chats that are due, the longest unchecked first, and posts their weekly recaps. Returns the number of chats. */
    async checkDue(): Promise<number> {
      const due = await repository.listDue({ now: clock.now(), limit: CHECKED_PER_RUN });
      let recapsLeft = RECAPS_PER_RUN;
      for (const chat of due) {
        const isAllowed = await checkOrPostpone(chat);
        if (isAllowed && recapsLeft > 0 && (await recaps.postWeekly(chat))) recapsLeft -= 1;
      }
      return due.length;
    },
  };
}
