import { NOTICE_LIFETIME_MS } from '#schema/constants/messages.ts';
import type { EventsPort } from '../delivery/prepare-batch.ts';
import type { FactKinds } from './fact-kinds.ts';
import { personOf } from './former-chat.repository.ts';
import { readEventId } from './repeated-events.ts';
import { followersOf, type PeopleChannel, type RecipientsRepository } from './recipients.repository.ts';

interface PeopleEventsOptions {
  readonly channel: PeopleChannel;
  readonly kinds: FactKinds;
  readonly recipients: RecipientsRepository;
}

/** The events of a channel to people: the facts of all kinds. */
export function createPeopleEvents(options: PeopleEventsOptions): EventsPort {
  const { channel, kinds, recipients } = options;
  return {
    traitsOf({ id, kind }) {
      const { lifetimeMs = 0, audience } = kinds.get(kind) ?? {};
      const isOfCall = audience === 'followers';
      // A program gets a call's event as late as a notice.
      const ofCalls = channel === 'webhook' ? NOTICE_LIFETIME_MS : lifetimeMs;
      return {
        lifetimeMs: isOfCall ? ofCalls : Math.min(lifetimeMs, NOTICE_LIFETIME_MS),
        hasAudience: audience !== undefined,
        isOfCall,
        isForUntold: readEventId(id).part !== null,
      };
    },

    async compose(event, recipient) {
      const kind = kinds.get(event.kind);
      if (kind === undefined) return null;
      const userId = personOf(recipient);
      return channel === 'webhook' ? kind.composeWebhook(event, userId) : kind.compose(event, userId);
    },

    async listRecipients({ event, ...range }) {
      const audience = kinds.get(event.kind)?.audience;
      if (audience === undefined) return [];
      const people = audience === 'followers' ? followersOf(event, channel) : audience(event);
      return recipients.list({ channel, people, ...range });
    },
  };
}
