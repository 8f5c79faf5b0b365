import { createTimer } from '../../adapters/timer.ts';
import type { Base } from '../../app/base.ts';
import { JOIN_TIMER_NAME } from '../../app/env.ts';
import type { SubscriptionsService } from '../money/subscriptions/subscriptions.service.ts';
import { createAccessService } from './chats/access.service.ts';
import { createChatChecks } from './chats/chat-checks.ts';
import { createChatUpdates } from './chats/chat-updates.ts';
import { createChatsService } from './chats/chats.service.ts';
import { createConnectChats } from './chats/connect-chats.ts';
import { createRecapsService, type RecapsOptions } from './chats/recaps.service.ts';

interface ChatsOptions extends Pick<RecapsOptions, 'images'> {
  readonly subscriptions: SubscriptionsService;
}

export function createChats(base: Base, options: ChatsOptions) {
  const recaps = createRecapsService({ ...base, ...options });
  const chatChecks = createChatChecks({ ...base, ...options, recaps });
  const common = { ...base, ...options, checks: chatChecks };
  const timer = createTimer(() => base.env.REBROADCASTER.getByName(JOIN_TIMER_NAME));
  const chatAccess = createAccessService({ ...common, timer });
  return {
    chatChecks,
    recaps,
    chatAccess,
    telegramChats: createChatsService(common),
    connectChats: createConnectChats(common),
    chatUpdates: createChatUpdates({ ...common, access: chatAccess }),
  };
}
