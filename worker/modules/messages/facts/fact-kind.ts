import type { NotificationKind } from '#schema/contracts/notifications.ts';
import type { WebhookBody } from '#schema/contracts/webhooks.ts';
import type { ChatButton } from '../../../ports/messenger.ts';
import type { OutgoingEvent } from '../../../ports/outbox.ts';
import type { ComposedEvent } from '../delivery/prepare-batch.ts';
import type { DueFact, NextReminder } from './facts.repository.ts';
import type { People, PeopleChannel } from './recipients.repository.ts';

type Text = string | { readonly text: string; readonly buttons: readonly ChatButton[] };

/** The message to send about a fact that is due, and its next reminder. `subject`: null if nobody is told now. */
export interface Plan {
  readonly fact: DueFact;
  readonly subject: string | null;
  readonly next: NextReminder | null;
}

interface FactKindOf<Data> {
  /** An older fact isn't told. */
  readonly lifetimeMs: number;
  /** By default, the fact's person. `followers`: those with access to the calls of the fact's caller. */
  readonly audience?: 'followers' | ((event: OutgoingEvent) => People);
  /** The switch in the users' settings. Null: nobody can switch the message off. */
  readonly switchKind?: (data: Data) => NotificationKind | null;
  /** By default, a fact is told once, when it is due. */
  readonly plan?: (facts: readonly DueFact[]) => Promise<Plan[]>;
  /** Reads what is true now. Null if there is nothing to say anymore. */
  readonly find: (event: OutgoingEvent, userId: string) => Promise<Data | null>;
  readonly text: (data: Data, event: OutgoingEvent) => Text | null;
  readonly webhook?: (data: Data, event: OutgoingEvent) => WebhookBody | null;
  /** By default, every channel gets the event; webhooks only if the kind has a body for them. */
  readonly isFor?: (channel: PeopleChannel, event: OutgoingEvent) => boolean;
  /** Also told in the chat that was connected a week ago. */
  readonly isSecurity?: boolean;
}

/** A kind of fact: who is told, when, and the text for each channel. */
export interface ToldFact extends Pick<FactKindOf<never>, 'lifetimeMs' | 'audience' | 'plan' | 'isSecurity'> {
  readonly isFor: (channel: PeopleChannel, event: OutgoingEvent) => boolean;
  readonly compose: (event: OutgoingEvent, userId: string) => Promise<ComposedEvent | null>;
  readonly composeWebhook: (event: OutgoingEvent, userId: string) => Promise<ComposedEvent | null>;
}

export function factKind<Data>(options: FactKindOf<Data>): ToldFact {
  const { find, text, webhook, isFor = () => true, switchKind, ...kind } = options;
  const callerOf = ({ userId }: OutgoingEvent) => (kind.audience === 'followers' ? userId : null);
  return {
    ...kind,
    isFor: (channel, event) => (channel !== 'webhook' || webhook !== undefined) && isFor(channel, event),
    async compose(event, userId) {
      const data = await find(event, userId);
      const composed = data && text(data, event);
      if (data === null || composed === null) return null;
      const message = typeof composed === 'string' ? { text: composed } : composed;
      return { ...message, switchKind: switchKind?.(data) ?? null, callerId: callerOf(event) };
    },
    async composeWebhook(event, userId) {
      const data = await find(event, userId);
      const body = data && webhook?.(data, event);
      return body ? { text: JSON.stringify(body), switchKind: null, callerId: callerOf(event) } : null;
    },
  };
}
