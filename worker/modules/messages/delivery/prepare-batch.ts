import type { NotificationKind } from '#schema/contracts/notifications.ts';
import type { ChatButton, OutgoingMessage } from '../../../ports/messenger.ts';
import type { OutgoingEvent } from '../../../ports/outbox.ts';
import type { DeliveriesRepository, Recipient } from './deliveries.repository.ts';
import type { DueMessage, EventTraits, ReadyEvent } from './outbox.repository.ts';

export interface ComposedEvent {
  readonly text: string;
  readonly buttons?: readonly ChatButton[];
  /** The message's kind in the user's settings; null if users can't switch it off. */
  readonly switchKind: NotificationKind | null;
  /** Set for a call event: only entitled followers who haven't muted this caller get it. */
  readonly callerId: string | null;
}

/** A channel's events: how to send them, their texts and their recipients. */
export interface EventsPort {
  readonly traitsOf: (event: OutgoingEvent) => EventTraits;
  compose(event: OutgoingEvent, userId: string): Promise<ComposedEvent | null>;
  /** Lists people who get an event that has an audience, and have connected the channel, ordered by id. */
  listRecipients(query: RecipientsQuery): Promise<readonly string[]>;
}

export interface RecipientsQuery extends Pick<ReadyEvent, 'event' | 'after' | 'until'> {
  readonly limit: number;
}

export interface EntitlementPort {
  entitledAmong(query: { userIds: readonly string[]; callerId: string }): Promise<readonly string[]>;
}

export interface PrepareOptions {
  readonly repository: DeliveriesRepository;
  readonly events: EventsPort;
  readonly entitlement: EntitlementPort;
}

export interface PreparedMessage {
  readonly message: OutgoingMessage;
  readonly userId: string;
  readonly callerId: string | null;
}

/**
 * Reads texts, chats, settings and entitlement in one go for all messages. Returns one result per message, in
 * the same order. The value of a result is null if the message must not be sent. A result is rejected if
 * its data can't be read.
 * @throws if all results failed
 */
export async function prepareBatch(
  messages: readonly DueMessage[],
  { repository, events, entitlement }: PrepareOptions,
): Promise<PromiseSettledResult<PreparedMessage | null>[]> {
  const composeFor = async (eventMessages: readonly DueMessage[]) => {
    const [first] = eventMessages;
    const composed = first ? await events.compose(first.event, first.userId) : null;
    if (!composed) return null;
    const { callerId } = composed;
    const userIds = eventMessages.map(({ userId }) => userId);
    const allowed = callerId === null ? userIds : await entitlement.entitledAmong({ userIds, callerId });
    return { ...composed, allowed: new Set(allowed) };
  };
  const recipients = repository.listRecipients(messages.map(({ userId }) => userId));
  const textKey = ({ event, userId }: DueMessage) =>
    events.traitsOf(event).isOfCall ? event.id : `${event.id} ${userId}`;
  const composed = new Map(
    [...Map.groupBy(messages, textKey)].map(([key, sameText]) => [key, composeFor(sameText)]),
  );
  const prepared = await Promise.allSettled(
    messages.map(async (due) => {
      const { event, userId, expiresAt, settled } = due;
      const [recipient, content] = await Promise.all([
        recipients.then((byUser) => byUser.get(userId)),
        composed.get(textKey(due)),
      ]);
      if (!recipient || !content?.allowed.has(userId) || !isWanted(recipient, content)) return null;
      const { text, buttons = [], callerId } = content;
      const message = { chatId: recipient.chatId, text, buttons, settled, tag: event.id, expiresAt };
      return { message, userId, callerId };
    }),
  );
  const [first] = prepared;
  const haveAllFailed = prepared.every(({ status }) => status === 'rejected');
  if (first?.status === 'rejected' && haveAllFailed) throw first.reason;
  return prepared;
}

function isWanted(recipient: Recipient, { switchKind, callerId }: ComposedEvent): boolean {
  if (switchKind !== null && recipient.switchedOff.has(switchKind)) return false;
  return callerId === null || !recipient.mutedCallers.has(callerId);
}
