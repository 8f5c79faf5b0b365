import type { NotificationKind } from '#schema/contracts/notifications.ts';
import type { OutgoingEvent } from '../../ports/outbox.ts';
import type { DeliveriesRepository, Recipient } from './deliveries.repository.ts';
import type { DueMessage, ReadyEvent } from './outbox.ts';

export interface ComposedEvent {
  readonly text: string;
  /** The switch that turns it off; null for one that cannot be switched off. */
  readonly switchKind: NotificationKind | null;
  /** For a call event: only followers entitled to this caller's calls get it, unless they muted the caller. */
  readonly callerId: string | null;
}

export interface EventsPort {
  /** Null if there is nothing to send any more. */
  compose(event: OutgoingEvent): Promise<ComposedEvent | null>;
  /** Connected followers who want this event, by id. */
  listFollowers(question: FollowersQuestion): Promise<{ callerId: string; userIds: readonly string[] }>;
}

export interface FollowersQuestion extends Pick<ReadyEvent, 'after' | 'until'> {
  readonly eventId: string;
  readonly limit: number;
}

export interface EntitlementPort {
  /** The viewers who may see the caller's active calls now. */
  entitledAmong(question: { viewerIds: readonly string[]; callerId: string }): Promise<string[]>;
}

export interface PrepareOptions {
  readonly repository: Pick<DeliveriesRepository, 'listRecipients'>;
  readonly events: EventsPort;
  readonly entitlement: EntitlementPort;
}

export interface PreparedMessage {
  readonly chatId: string;
  readonly text: string;
}

/**
 * Reads texts, chats, settings and entitlement once for all messages. A message is null if it must not be
 * sent. Results settle separately, in the order of the messages. @throws if all failed
 */
export async function prepareBatch(
  messages: readonly DueMessage[],
  { repository, events, entitlement }: PrepareOptions,
): Promise<PromiseSettledResult<PreparedMessage | null>[]> {
  const composeFor = async (those: readonly DueMessage[]) => {
    const composed = those[0] ? await events.compose(those[0].event) : null;
    if (!composed) return null;
    const { callerId } = composed;
    const viewerIds = those.map(({ userId }) => userId);
    const allowed = callerId === null ? viewerIds : await entitlement.entitledAmong({ viewerIds, callerId });
    return { ...composed, allowed: new Set(allowed) };
  };
  const recipients = repository.listRecipients(messages.map(({ userId }) => userId));
  const composed = new Map(
    [...Map.groupBy(messages, ({ event }) => event.id)].map(([id, those]) => [id, composeFor(those)]),
  );
  const prepared = await Promise.allSettled(
    messages.map(async ({ event, userId }) => {
      const [recipient, message] = await Promise.all([
        recipients.then((known) => known.get(userId)),
        composed.get(event.id),
      ]);
      if (!recipient || !message?.allowed.has(userId) || !isWanted(recipient, message)) return null;
      return { chatId: recipient.chatId, text: message.text };
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
