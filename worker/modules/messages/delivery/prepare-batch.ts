import type { NotificationKind } from '#schema/contracts/notifications.ts';
import type { ChatButton, OutgoingMessage } from '../../../ports/messenger.ts';
import type { OutgoingEvent } from '../../../ports/outbox.ts';
import type { DeliveriesRepository, Recipient } from './deliveries.repository.ts';
import type { DueMessage, ReadyEvent } from './outbox.ts';
import type { SubscriptionsService } from '../../money/subscriptions/subscriptions.service.ts';

export interface ComposedEvent {
  readonly text: string;
  readonly buttons?: readonly ChatButton[];
  /** The message's kind in the user's settings; null if users can't switch it off. */
  readonly switchKind: NotificationKind | null;
  /** Set for a call event: only entitled followers who haven't muted this caller get it. */
  readonly callerId: string | null;
}

export interface EventsPort {
  compose(event: OutgoingEvent): Promise<ComposedEvent | null>;
  /** Lists connected followers who get this event, ordered by id. */
  listFollowers(query: FollowersQuery): Promise<{ callerId: string; userIds: readonly string[] }>;
}

export interface FollowersQuery extends Pick<ReadyEvent, 'after' | 'until'> {
  readonly eventId: string;
  readonly limit: number;
}

export type EntitlementPort = Pick<SubscriptionsService, 'entitledAmong'>;

export interface PrepareOptions {
  readonly repository: Pick<DeliveriesRepository, 'listRecipients'>;
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
    const composed = eventMessages[0] ? await events.compose(eventMessages[0].event) : null;
    if (!composed) return null;
    const { callerId } = composed;
    const userIds = eventMessages.map(({ userId }) => userId);
    const allowed = callerId === null ? userIds : await entitlement.entitledAmong({ userIds, callerId });
    return { ...composed, allowed: new Set(allowed) };
  };
  const recipients = repository.listRecipients(messages.map(({ userId }) => userId));
  const composed = new Map(
    [...Map.groupBy(messages, ({ event }) => event.id)].map(([id, eventMessages]) => [
      id,
      composeFor(eventMessages),
    ]),
  );
  const prepared = await Promise.allSettled(
    messages.map(async ({ event, userId, expiresAt, settled }) => {
      const [recipient, content] = await Promise.all([
        recipients.then((byUser) => byUser.get(userId)),
        composed.get(event.id),
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
