import {
  DELIVERY_LOG_PAGE_SIZE,
  NOTIFICATION_LIFETIME_MS,
  OUTBOX_BATCH_SIZE,
  SECOND_MS,
} from '#schema/constants.ts';
import type { CallEventKind, DeliveryLogEntry } from '#schema/contracts/notifications.ts';
import { buyUrl } from '#schema/rules/calls/buy-url.ts';
import { cutPage } from '../../../app/pages.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { MessageButton } from '../../../ports/messenger.ts';
import type { Live } from '../../../ports/live.ts';
import type { CallEvent, Channel, EventOf, Outbox, OutgoingEvent } from '../../../ports/outbox.ts';
import { nameOf } from '../../../shared/caller-summary.ts';
import { withTimeout } from '../../../shared/with-timeout.ts';
import { readOptionalCursor } from '../../../shared/keyset.ts';
import {
  composeCallEndedText,
  composeCallOpenedText,
  composeLevelHitText,
  composeUpdateText,
} from './call-event-text.ts';
import type { CallEventRow, CallEventsRepository, FollowersRange } from './call-events.repository.ts';
import { describeError } from '../../../shared/describe-error.ts';
import type { CallerGuard } from '../../people/users/caller-guard.ts';

/** A request waits this long for the sender. */
const NOTIFY_TIMEOUT_MS = 2 * SECOND_MS;
const MAX_PAGES = 20;

type CallerPort = Pick<CallerGuard, 'assertIsCaller'>;

/** An event that a request causes. The cron finds the others. */
export interface RequestedEvent {
  readonly kind: Exclude<CallEventKind, 'level_hit'>;
  readonly id: string;
  readonly callerId: string;
}

interface EventsOptions {
  readonly repository: CallEventsRepository;
  readonly callers: CallerPort;
  readonly outbox: Pick<Outbox, 'add'>;
  readonly live: Pick<Live, 'callersChanged'>;
  readonly clock: Clock;
  readonly appOrigin: string;
}

export interface DeliveriesQuery {
  readonly callerId: string;
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

function createDeliveryLog({ repository, callers }: Pick<EventsOptions, 'repository' | 'callers'>) {
  return {
    /** Lists a caller's events with their counts, newest first. @throws users.not_a_caller */
    async listDeliveries({ callerId, cursor, limit = DELIVERY_LOG_PAGE_SIZE }: DeliveriesQuery) {
      await callers.assertIsCaller(callerId);
      const page = { cursor: readOptionalCursor(cursor), limit: limit + 1 };
      const events = await repository.listOfCaller({ callerId, ...page });
      const { shown, nextCursor } = cutPage(events, limit, ({ at, id }) => ({ value: at, id }));
      const rows = shown.map((row): DeliveryLogEntry => ({ ...row, at: new Date(row.at).toISOString() }));
      return { rows, nextCursor };
    },
  };
}

export type CallEventsService = ReturnType<typeof createCallEventsService>;

export function createCallEventsService(options: EventsOptions) {
  const { repository, callers, outbox, live, clock, appOrigin } = options;
  /**
   * Gives events to the sender first, then marks them. After a crash between the two, the sender gets the
   * events again and ignores them as duplicates.
   */
  const handOver = async (ids: readonly string[], events: readonly OutgoingEvent[]): Promise<void> => {
    if (events.length > 0) await outbox.add(events);
    await repository.markAccepted({ ids, now: clock.now() });
  };

  const composeMessageOf = async (id: string) => {
    const row = await repository.find(id);
    if (row === null) return null;
    const callUrl = `${appOrigin}/call/${row.callId}`;
    const text = composeText(row, callUrl);
    return text === null ? null : { row, text, buttons: buttonsOf(row, callUrl), switchKind: row.kind };
  };

  return {
    ...createDeliveryLog({ repository, callers }),

    /** Hands new events to the sender, and marks expired ones without sending them. Two runs may overlap. */
    async notifyAll(): Promise<{ added: number; tooOld: number }> {
      const sum = { added: 0, tooOld: 0 };
      const freshFrom = clock.now() - NOTIFICATION_LIFETIME_MS;
      for (let page = 0; page < MAX_PAGES; page += 1) {
        const events = await repository.listNew(OUTBOX_BATCH_SIZE);
        const ids = events.map(({ id }) => id);
        live.callersChanged([...new Set(events.map(({ callerId }) => callerId))]);
        const fresh = events.filter(({ at }) => at > freshFrom);
        if (ids.length > 0) await handOver(ids, fresh.flatMap(outgoingOf));
        sum.added += fresh.length;
        sum.tooOld += ids.length - fresh.length;
        if (ids.length < OUTBOX_BATCH_SIZE) break;
      }
      return sum;
    },

    /**
     * Tells open pages of an event of a request, and gives it to the sender. `id` is the id of the call or of the update. Never throws, because
     * `notifyAll` retries it.
     */
    async notifySoon({ kind, id, callerId }: RequestedEvent): Promise<void> {
      const eventId = `${kind}:${id}`;
      live.callersChanged([callerId]);
      try {
        await withTimeout(handOver([eventId], [{ kind: 'call_event', id: eventId }]), NOTIFY_TIMEOUT_MS);
      } catch (error) {
        console.warn(JSON.stringify({ event: 'call_event.delayed', eventId, error: describeError(error) }));
      }
    },

    /** Counts the connected followers who are entitled to a caller's calls and get this kind of message. */
    countRecipients: (audience: { callerId: string; kind: CallEventKind }) =>
      repository.countEntitledFollowers({ ...audience, channel: 'telegram', now: clock.now() }),

    /**
     * The event's current text and buttons. Null for an unknown event, and for an event that is outdated
     * because the call has ended.
     */
    async compose({ id }: CallEvent) {
      const message = await composeMessageOf(id);
      return message && { ...message, callerId: message.row.callerId };
    },

    /** Like `compose`, but for the caller themselves, who needs no access to their own call. */
    async composeForCaller({ eventId, userId }: EventOf<'own_level_hit'>) {
      const message = await composeMessageOf(eventId);
      const isOld = (at: number) => at <= clock.now() - NOTIFICATION_LIFETIME_MS;
      if (message?.row.callerId !== userId || isOld(message.row.at)) return null;
      return { ...message, callerId: null };
    },

    /**
     * Connected followers who haven't muted the caller or switched off this kind of message. Whether they
     * have access must be checked separately.
     */
    async listFollowers({ eventId, ...range }: FollowersRange & { eventId: string; channel: Channel }) {
      const audience = await repository.findAudience(eventId);
      if (!audience) return { callerId: '', userIds: [] };
      const userIds = await repository.listFollowers({ ...audience, ...range });
      return { callerId: audience.callerId, userIds };
    },
  };
}

/** The caller gets a message only about a hit level. All other events are the caller's own actions. */
function outgoingOf({
  id,
  kind,
  callerId,
}: {
  id: string;
  kind: CallEventKind;
  callerId: string;
}): OutgoingEvent[] {
  const event = { kind: 'call_event', id } as const;
  if (kind !== 'level_hit') return [event];
  return [event, { kind: 'own_level_hit', id: `${id}:caller`, userId: callerId, eventId: id }];
}

/** Only the message about a new call has a Buy button. */
function buttonsOf({ kind, tokenMint }: CallEventRow, callUrl: string): MessageButton[] {
  const open = { text: 'Open', url: callUrl };
  return kind === 'call_opened' ? [open, { text: 'Buy', url: buyUrl(tokenMint) }] : [open];
}

function composeText(row: CallEventRow, callUrl: string): string | null {
  const call = { ...row, callerName: nameOf(row), callerHandle: row.twitter_handle, callUrl };
  const { calledAt, endedAt, endPrice, changePercent, message, level, levelPrice } = row;
  switch (row.kind) {
    case 'call_opened':
      return endedAt === null ? composeCallOpenedText(call) : null;
    case 'call_ended':
      if (endedAt === null || endPrice === null || changePercent === null) return null;
      return composeCallEndedText({ ...call, endPrice, changePercent, heldMs: endedAt - calledAt });
    case 'call_update':
      return message === null ? null : composeUpdateText({ ...call, message });
    case 'level_hit':
      if (endedAt !== null || level === null || levelPrice === null) return null;
      return composeLevelHitText({ ...call, level, levelPrice });
  }
}
