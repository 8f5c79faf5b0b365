import type { ChatUpdate, ChatUpdateOf } from '../../../ports/chat-updates.ts';
import type { Reply } from '../../../ports/messenger.ts';

/** Handles updates of channels and groups, by kind. Only a command has a reply. */
export interface ChatHandlers {
  readonly bot: (update: ChatUpdateOf<'bot'>) => Promise<void>;
  readonly member: (update: ChatUpdateOf<'member'>) => Promise<void>;
  readonly joinRequest: (update: ChatUpdateOf<'join_request'>) => Promise<void>;
  readonly migrated: (update: ChatUpdateOf<'migrated'>) => Promise<void>;
  readonly command: (update: ChatUpdateOf<'command'>) => Promise<Reply | null>;
}

/** Returns a function that handles an update of a channel or group and returns the bot's reply, or null for none. */
export const createChatReplies =
  (handlers: ChatHandlers) =>
  async (update: ChatUpdate): Promise<Reply | null> => {
    switch (update.kind) {
      case 'bot':
        await handlers.bot(update);
        return null;
      case 'member':
        await handlers.member(update);
        return null;
      case 'join_request':
        await handlers.joinRequest(update);
        return null;
      case 'migrated':
        await handlers.migrated(update);
        return null;
      case 'command':
        return handlers.command(update);
    }
  };
