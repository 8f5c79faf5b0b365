import type { ChatUpdate } from '../../../ports/chat-updates.ts';
import type { Reply } from '../../../ports/messenger.ts';

type UpdateOf<Kind extends ChatUpdate['kind']> = Extract<ChatUpdate, { readonly kind: Kind }>;

/** Handles updates of channels and groups, by kind. Only a command has a reply. */
export interface ChatHandlers {
  readonly bot: (update: UpdateOf<'bot'>) => Promise<void>;
  readonly member: (update: UpdateOf<'member'>) => Promise<void>;
  readonly joinRequest: (update: UpdateOf<'join_request'>) => Promise<void>;
  readonly migrated: (update: UpdateOf<'migrated'>) => Promise<void>;
  readonly command: (update: UpdateOf<'command'>) => Promise<Reply | null>;
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
