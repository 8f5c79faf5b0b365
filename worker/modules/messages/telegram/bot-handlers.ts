import type { BotRepliesOptions } from './bot-replies.ts';
import type { ChatHandlers } from './chat-replies.ts';

type BotHandlers = Pick<BotRepliesOptions, 'callerCommands' | 'press' | 'readText'> & {
  readonly chatHandlers: ChatHandlers;
};

/** What the bot does with updates, apart from connecting a private chat. */
export function createBotHandlers(): BotHandlers {
  return {
    callerCommands: {},
    press: async () => null,
    readText: async () => null,
    chatHandlers: {
      bot: async () => undefined,
      member: async () => undefined,
      joinRequest: async () => undefined,
      migrated: async () => undefined,
      command: async () => null,
    },
  };
}
