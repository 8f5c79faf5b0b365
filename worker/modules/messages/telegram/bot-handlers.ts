import type { createConnectChats } from '../chats/connect-chats.ts';
import type { BotRepliesOptions } from './bot-replies.ts';
import type { ChatHandlers } from './chat-replies.ts';

type BotHandlers = Pick<BotRepliesOptions, 'callerCommands' | 'press' | 'pickChat' | 'readText'> & {
  readonly chatHandlers: ChatHandlers;
};

interface HandlersOptions {
  readonly connectChats: ReturnType<typeof createConnectChats>;
}

/** What the bot does with updates, apart from connecting a private chat. */
export function createBotHandlers({ connectChats }: HandlersOptions): BotHandlers {
  return {
    callerCommands: { connect: connectChats.offerPicker },
    press: connectChats.press,
    pickChat: connectChats.picked,
    readText: async () => null,
    chatHandlers: {
      bot: connectChats.botChanged,
      member: async () => undefined,
      joinRequest: async () => undefined,
      migrated: connectChats.migrated,
      command: async () => null,
    },
  };
}
