import type { TelegramChat, TelegramChatChange, TelegramChats } from '#schema/contracts/telegram-chats.ts';
import { needsPaidConfirmation } from '#schema/rules/access/telegram-chats.ts';
import { AppError } from '../../../app/errors.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Messenger } from '../../../ports/messenger.ts';
import type { NoticeEvent } from '../../../ports/outbox.ts';
import type { ChatChecks } from './chat-checks.ts';
import { createChatTexts } from './chat-texts.ts';
import type { ChatRow, ChatsRepository } from './chats.repository.ts';
import { confirmPaidButton } from './connect-chats.ts';

interface ChatsOptions {
  readonly repository: ChatsRepository;
  readonly checks: ChatChecks;
  readonly messenger: Pick<Messenger, 'addUrl'>;
  readonly clock: Clock;
  readonly dashboardUrl: string;
}

export interface OwnChat {
  readonly userId: string;
  readonly chatId: string;
}

export function createChatsService({ repository, checks, messenger, clock, dashboardUrl }: ChatsOptions) {
  const texts = createChatTexts(dashboardUrl);
  const read = async (userId: string): Promise<TelegramChats> => ({
    chats: (await repository.findOfCaller(userId)).map(viewOf),
    addUrls: { channel: messenger.addUrl('channel'), group: messenger.addUrl('group') },
  });

  return {
    read,

    async change({ userId, chatId, ...change }: OwnChat & TelegramChatChange): Promise<TelegramChats> {
      const isChanged = await repository.change({ ...change, chatId, callerId: userId, now: clock.now() });
      if (!isChanged) throw new AppError({ code: 'telegram.chat_not_found' });
      if (change.confirmsPaid) await checks.checkAllOf(userId);
      return read(userId);
    },

    /** The bot stays in the chat but posts nothing more. @throws telegram.chat_not_found */
    async disconnect({ userId, chatId }: OwnChat): Promise<TelegramChats> {
      const isRemoved = await repository.remove({ chatId, callerId: userId });
      if (!isRemoved) throw new AppError({ code: 'telegram.chat_not_found' });
      await checks.checkAllOf(userId);
      return read(userId);
    },

    async composeProblem({ userId, subject }: NoticeEvent) {
      const chat = await repository.find(subject);
      if (chat?.problem == null || chat.callerId !== userId) return null;
      const confirm = chat.problem === 'unconfirmed' ? [confirmPaidButton(chat.chatId)] : [];
      return {
        text: texts.problem(chat.problem, chat),
        buttons: [{ text: 'Open', url: dashboardUrl }, ...confirm],
        switchKind: null,
        callerId: null,
      };
    },

    async composeRemoval({ subject }: NoticeEvent) {
      const chat = await repository.find(subject);
      if (chat === null) return null;
      const url = new URL(`/caller/${chat.callerId}#join`, dashboardUrl).href;
      const buttons = [{ text: 'Subscribe', url }];
      return { text: texts.removed(chat), buttons, switchKind: null, callerId: null };
    },
  };
}

function viewOf(chat: ChatRow): TelegramChat {
  const { chatId: id, kind, title, removesOthers, postsRecap, joinLink } = chat;
  const problem = needsPaidConfirmation(chat) ? (chat.problem ?? 'unconfirmed') : chat.problem;
  return { id, kind, title, problem, removesOthers, postsRecap, joinLink };
}
