import type { Base } from '../../app/base.ts';
import { createChatChecks, type ChatChecksOptions } from './chats/chat-checks.ts';
import { createChatsRepository } from './chats/chats.repository.ts';
import { createChatsService } from './chats/chats.service.ts';
import { createRecapsRepository } from './chats/recaps.repository.ts';
import { createRecapsService, type RecapsOptions } from './chats/recaps.service.ts';
import { createConnectChats, type ConnectChatsOptions } from './chats/connect-chats.ts';

type ChatsOptions = Pick<ChatChecksOptions, 'outbox'> &
  Pick<ConnectChatsOptions, 'accounts'> &
  Pick<RecapsOptions, 'images'>;

export function createChats(base: Base, { outbox, accounts, images }: ChatsOptions) {
  const { db, chats, messenger, attempts, clock, vars } = base;
  const repository = createChatsRepository(db);
  const recaps = createRecapsService({
    repository: createRecapsRepository(db),
    callersChats: repository,
    images,
    chats,
    clock,
    appOrigin: vars.APP_ORIGIN,
  });
  const checks = createChatChecks({ repository, chats, recaps, outbox, clock });
  const common = { repository, checks, clock, dashboardUrl: `${vars.APP_ORIGIN}/dashboard` };
  return {
    callersChats: repository,
    chatChecks: checks,
    recaps,
    telegramChats: createChatsService({ ...common, messenger }),
    connectChats: createConnectChats({ ...common, chats, accounts, attempts }),
  };
}
