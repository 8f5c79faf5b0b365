import type { Base } from '../../app/base.ts';
import { createChatChecks, type ChatChecksOptions } from './chats/chat-checks.ts';
import { createChatsRepository } from './chats/chats.repository.ts';
import { createChatsService } from './chats/chats.service.ts';
import { createConnectChats, type ConnectChatsOptions } from './chats/connect-chats.ts';

type ChatsOptions = Pick<ChatChecksOptions, 'outbox'> & Pick<ConnectChatsOptions, 'accounts'>;

/** Callers' channels and groups on Telegram. */
export function createChats(base: Base, { outbox, accounts }: ChatsOptions) {
  const { db, chats, messenger, attempts, clock, vars } = base;
  const repository = createChatsRepository(db);
  const checks = createChatChecks({ repository, chats, outbox, clock });
  const common = { repository, checks, clock, dashboardUrl: `${vars.APP_ORIGIN}/dashboard` };
  return {
    chatChecks: checks,
    telegramChats: createChatsService({ ...common, messenger }),
    connectChats: createConnectChats({ ...common, chats, accounts, attempts }),
  };
}
