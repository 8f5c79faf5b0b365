import { MINUTE_MS } from '#schema/constants.ts';
import type { ChatUpdateOf, PrivateUpdateOf } from '../../../ports/chat-updates.ts';
import type { Chats } from '../../../ports/chats.ts';
import type { Reply } from '../../../ports/messenger.ts';
import type { Attempts } from '../../../shared/attempts.ts';
import { createChatTexts } from './chat-texts.ts';
import { createConnect, type ConnectOptions } from './connect-chat.ts';

export interface ConnectChatsOptions extends Omit<ConnectOptions, 'texts'> {
  readonly chats: ConnectOptions['chats'] & Pick<Chats, 'acknowledge'>;
  readonly attempts: Attempts;
  readonly dashboardUrl: string;
}

/** Changes of one chat that the bot reacts to at once. The hourly check sees the others. */
const REACTIONS = { burst: 5, everyMs: MINUTE_MS };

/** The actions of the bot's buttons about a chat. */
const CHAT_ACTION = /^chat:(yes|no|paid):(-\d{1,20})$/;
export const confirmPaidButton = (chatId: string) => ({ text: 'Confirm', action: `chat:paid:${chatId}` });

/** Reacts to updates about channels and groups, and to callers who connect them in their private chat with the bot. */
export function createConnectChats({ attempts, dashboardUrl, ...options }: ConnectChatsOptions) {
  const { repository, checks, chats, accounts } = options;
  const texts = createChatTexts(dashboardUrl);
  const isOften = async (chatId: string) =>
    (await attempts.take({ action: 'chats.check', person: chatId, limit: REACTIONS })) > 0;
  const { ask, connect, choose } = createConnect({ ...options, texts });

  return {
    /** The bot was added to a chat, removed, or got other rights. Foreign chats store nothing. */
    async botChanged(update: ChatUpdateOf<'bot'>): Promise<void> {
      const { chatId, isIn, rights } = update;
      const chat = await repository.find(chatId);
      if (chat === null && rights === null) return;
      if (chat && (await isOften(chatId))) return;
      if (chat?.isConnected) await checks.check(chat);
      else if (rights !== null) await ask(update);
      else if (chat && !isIn) await repository.remove(chat);
    },

    /** A group became a supergroup. */
    async migrated({
      chatId,
      newChatId,
    }: Pick<ChatUpdateOf<'migrated'>, 'chatId' | 'newChatId'>): Promise<void> {
      if ((await repository.find(chatId)) === null) return;
      await repository.migrate({ from: chatId, to: newChatId });
    },

    /** `/connect` in the private chat. */
    async offerPicker({ chatId }: PrivateUpdateOf<'command'>): Promise<Reply> {
      const account = await accounts.findAccount(chatId);
      return account === null ? { text: texts.notConnected } : { text: texts.pick, picksChat: true };
    },

    async picked({ chatId: personId, pickedId }: PrivateUpdateOf<'picked_chat'>): Promise<Reply> {
      const account = await accounts.findAccount(personId);
      if (account === null) return { text: texts.notConnected, picksChat: false };
      const text = await connect({ chatId: pickedId, personId, callerId: account.userId });
      return { text, picksChat: false };
    },

    /** Returns null for a button about something else. */
    async press(update: PrivateUpdateOf<'button'>): Promise<Reply | null> {
      const { action, buttonId, messageId, chatId: personId } = update;
      const [, answer = '', chatId = ''] = CHAT_ACTION.exec(action) ?? [];
      if (chatId === '') return null;
      const account = await accounts.findAccount(personId);
      const text =
        account === null
          ? texts.notConnected
          : await choose(answer, { chatId, personId, callerId: account.userId });
      await chats.acknowledge(buttonId);
      return { text, replaces: messageId };
    },
  };
}
