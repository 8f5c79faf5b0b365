import { MAX_POSTS_PER_CHAT, NOTICE_LIFETIME_MS, POSTS_PER_SECOND } from '#schema/constants/messages.ts';
import type { DeliveriesRepository, Recipient } from '../delivery/deliveries.repository.ts';
import type { EventTraits } from '../delivery/outbox.repository.ts';
import type { ComposedEvent } from '../delivery/prepare-batch.ts';
import { createChatPoster, type ChatPosterOptions } from './chat-poster.ts';
import { createChatPostsRepository } from './chat-posts.repository.ts';

/** The poster writes the text when it sends. A chat belongs to one caller, so it needs no caller's id for its limit. */
const CONTENT: ComposedEvent = { text: '', switchKind: null, callerId: '' };
/** A post contains the call's state, so it isn't outdated after an hour. */
const TRAITS: EventTraits = { lifetimeMs: NOTICE_LIFETIME_MS, hasAudience: true, isOfCall: true };
const RECIPIENT: Omit<Recipient, 'chatId'> = { switchedOff: new Set(), mutedCallers: new Set() };

/** Chats have no settings. Delivery counts and failures of an event are those of the private messages. */
const deliveries: DeliveriesRepository = {
  listRecipients: async (chatIds) => new Map(chatIds.map((chatId) => [chatId, { chatId, ...RECIPIENT }])),
};

export function createChatChannel(options: ChatPosterOptions) {
  const repository = createChatPostsRepository(options.db);
  return {
    events: { traitsOf: () => TRAITS, compose: async () => CONTENT, listRecipients: repository.listChats },
    entitlement: { entitledAmong: async ({ userIds }: { userIds: readonly string[] }) => [...userIds] },
    repository: deliveries,
    messenger: createChatPoster(options),
    combines: true,
    perSecond: POSTS_PER_SECOND,
    perMinute: MAX_POSTS_PER_CHAT,
  };
}
