import { TELEGRAM_SETTINGS_PATH } from '#schema/constants/messages.ts';
import type { ChatOther, JoinLink } from '#schema/contracts/telegram-access.ts';
import type { TelegramChat, TelegramChatChange, TelegramChats } from '#schema/contracts/telegram-chats.ts';
import { needsPaidConfirmation } from '#schema/rules/access/telegram-chats.ts';
import type { Base } from '../../../app/base.ts';
import { AppError } from '../../../app/errors.ts';
import { cutPage, type Page } from '../../../app/pages.ts';
import type { OutgoingEvent } from '../../../ports/outbox.ts';
import { readOptionalCursor } from '../../../shared/keyset.ts';
import type { SubscriptionsService } from '../../money/subscriptions/subscriptions.service.ts';
import { createAccessRepository } from './access.repository.ts';
import type { ChatChecks } from './chat-checks.ts';
import { createChatTexts } from './chat-texts.ts';
import { createChatsRepository, type ChatRow } from './chats.repository.ts';
import { chatButton } from './connect-chats.ts';

interface ChatsOptions extends Pick<Base, 'db' | 'messenger' | 'clock' | 'vars'> {
  readonly checks: ChatChecks;
  readonly subscriptions: SubscriptionsService;
}

export interface OwnChat {
  readonly userId: string;
  readonly chatId: string;
}

export interface OthersRequest extends OwnChat {
  readonly cursor: string | undefined;
  readonly limit: number;
}

const MAX_START_LINKS = 3;

export type ChatsService = ReturnType<typeof createChatsService>;

export function createChatsService({ db, checks, subscriptions, messenger, clock, vars }: ChatsOptions) {
  const repository = createChatsRepository(db);
  const access = createAccessRepository(db);
  const texts = createChatTexts(vars.APP_ORIGIN);
  const read = async (userId: string): Promise<TelegramChats> => ({
    chats: (await repository.findOfCaller(userId)).map(viewOf),
    addUrls: { channel: messenger.addUrl('channel'), group: messenger.addUrl('group') },
  });

  /** The links to a caller's chats. Empty for people without access. @throws callers.not_found */
  const listJoinLinks = async (pair: { userId: string; callerId: string }): Promise<JoinLink[]> => {
    const { userId, callerId } = pair;
    if (!(await subscriptions.canSeeActiveCalls({ viewerId: userId, callerId }))) return [];
    const links = await access.listJoinLinks(callerId);
    return links.flatMap(({ joinLink: url, ...chat }) => (url === null ? [] : [{ ...chat, url }]));
  };

  return {
    read,
    listJoinLinks,

    async listSomeJoinLinks(userId: string): Promise<JoinLink[]> {
      const query = { userId, now: clock.now(), limit: MAX_START_LINKS };
      const callerIds = await access.listCallersWithLinks(query);
      const links = await Promise.all(callerIds.map((callerId) => listJoinLinks({ userId, callerId })));
      return links.flat().slice(0, MAX_START_LINKS);
    },

    /** People in the caller's chat who came without the bot and have no access. */
    async listOthers({ userId, chatId, cursor, limit }: OthersRequest): Promise<Page<ChatOther>> {
      const query = { chatId, callerId: userId, cursor: readOptionalCursor(cursor), limit: limit + 1 };
      const page = cutPage(await access.listOthers(query), limit, ({ since, personId }) => {
        return { value: since, id: personId };
      });
      const rows = page.shown.map(({ personId: id, name, status, since }) => {
        return { id, name, isAdmin: status === 'admin', since: new Date(since).toISOString() };
      });
      return { rows, nextCursor: page.nextCursor };
    },

    async change({
      userId,
      chatId,
      newLink,
      ...change
    }: OwnChat & TelegramChatChange): Promise<TelegramChats> {
      const isChanged = await repository.change({ ...change, chatId, callerId: userId, now: clock.now() });
      if (!isChanged) throw new AppError({ code: 'telegram.chat_not_found' });
      if (change.confirmsPaid) await checks.checkAllOf(userId);
      const chat = newLink === true ? await repository.find(chatId) : null;
      if (chat !== null) await checks.renewLink(chat);
      return read(userId);
    },

    /** The bot stays in the chat but posts nothing more. @throws telegram.chat_not_found */
    async disconnect({ userId, chatId }: OwnChat): Promise<TelegramChats> {
      const isRemoved = await repository.remove({ chatId, callerId: userId });
      if (!isRemoved) throw new AppError({ code: 'telegram.chat_not_found' });
      await checks.checkAllOf(userId);
      return read(userId);
    },

    async composeProblem({ userId, subject }: OutgoingEvent) {
      const chat = await repository.findEarlier(chatOf(subject));
      if (chat?.problem == null || chat.callerId !== userId) return null;
      const confirm = chat.problem === 'unconfirmed' ? [chatButton('Confirm', 'paid', chat.chatId)] : [];
      return {
        text: texts.problem(chat.problem, chat),
        buttons: [{ text: 'Open', url: `${vars.APP_ORIGIN}${TELEGRAM_SETTINGS_PATH}` }, ...confirm],
      };
    },

    async composeRemoval({ subject }: OutgoingEvent) {
      const chat = await repository.findEarlier(chatOf(subject));
      if (chat === null) return null;
      const url = `${vars.APP_ORIGIN}/caller/${chat.callerId}#join`;
      return { text: texts.removed(chat), buttons: [{ text: 'Subscribe', url }] };
    },
  };
}

/** The chat's id comes first in the subjects of the facts about chats. */
const chatOf = (subject: string): string => subject.split(':')[0] ?? '';

function viewOf(chat: ChatRow): TelegramChat {
  const { chatId: id, kind, title, topicName, removesOthers, postsRecap, joinLink } = chat;
  const problem = needsPaidConfirmation(chat) ? (chat.problem ?? 'unconfirmed') : chat.problem;
  return { id, kind, title, topicName, problem, removesOthers, postsRecap, joinLink };
}
