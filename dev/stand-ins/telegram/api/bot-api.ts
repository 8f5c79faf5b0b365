import type { CallbackQueries } from './callback-queries.ts';
import { createChatAccess, type Parameters } from './chat-access.ts';
import type { ChatEvents } from '../chat-events.ts';
import { createChatMethods } from './chat-methods.ts';
import type { Descriptions } from '../describe.ts';
import type { Invitations } from '../invitations.ts';
import type { Photos } from './photos.ts';
import type { SendLimits } from './send-limits.ts';
import { createMessageMethods } from './message-methods.ts';
import type { TelegramStore } from '../telegram-store.ts';

interface BotApiOptions {
  store: TelegramStore;
  describe: Descriptions;
  events: ChatEvents;
  invitations: Invitations;
  queries: CallbackQueries;
  limits: SendLimits;
  photos: Photos;
}

/** Returns the method's result. @throws BotError. `origin` is the stand-in's own address. */
export type BotMethod = (parameters: Parameters, origin: string) => unknown;

/** The methods of the Bot API but those about the webhook, by their names in lower case. */
export function createBotApi({ queries, ...parts }: BotApiOptions): Record<string, BotMethod> {
  const access = createChatAccess(parts.store);
  return {
    ...createMessageMethods({ ...parts, access }),
    ...createChatMethods({ ...parts, access }),
    ...queries.methods,
  };
}
