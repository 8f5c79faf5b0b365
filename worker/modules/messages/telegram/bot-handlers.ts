import type { createChatAccess } from '../chats/access.module.ts';
import type { createConnectChats } from '../chats/connect-chats.ts';
import type { BotRepliesOptions } from './bot-replies.ts';
import type { ChatHandlers } from './chat-replies.ts';
import type { createCommands } from './commands.module.ts';

type BotHandlers = Pick<
  BotRepliesOptions,
  'callerCommands' | 'press' | 'pickChat' | 'readText' | 'onConnected'
> & {
  readonly chatHandlers: ChatHandlers;
};

interface HandlersOptions {
  readonly commands: ReturnType<typeof createCommands>;
  readonly connectChats: ReturnType<typeof createConnectChats>;
  readonly access: ReturnType<typeof createChatAccess>;
}

/** The handlers of the bot's updates, except for connecting a private chat. */
export function createBotHandlers({ connectChats, access, commands }: HandlersOptions): BotHandlers {
  const { callerCommands, press, readText } = commands.inPrivate;
  return {
    callerCommands: new Map([...callerCommands, ['connect', connectChats.offerPicker]]),
    press: async (update) => (await connectChats.press(update)) ?? press(update),
    pickChat: connectChats.picked,
    readText,
    onConnected: access.chatAccess.checkSoon,
    chatHandlers: {
      async bot(update) {
        await connectChats.botChanged(update);
        await access.chatAccess.retry(update.chatId);
      },
      ...access.handlers,
      migrated: connectChats.migrated,
      command: commands.inGroup,
    },
  };
}
