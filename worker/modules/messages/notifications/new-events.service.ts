import {
  NOTICE_LIFETIME_MS,
  NOTIFICATION_LIFETIME_MS,
  OUTBOX_BATCH_SIZE,
} from '#schema/constants/messages.ts';
import { SECOND_MS } from '#schema/constants/time.ts';
import type { CallEventKind } from '#schema/contracts/notifications.ts';
import { keysOf } from '#schema/rules/typed-keys.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { CallChange, Live } from '../../../ports/live.ts';
import type { Outbox, OutgoingEvent } from '../../../ports/outbox.ts';
import { describeError } from '../../../shared/describe-error.ts';
import { withTimeout } from '../../../shared/with-timeout.ts';
import type { EventSource, NewEvent, NewEventsRepository } from './new-events.repository.ts';

const NOTIFY_TIMEOUT_MS = 2 * SECOND_MS;
const MAX_PAGES = 20;

/** The maximum age at which an event is still sent, per source. Security notices never expire. */
const LIFETIMES_MS: Readonly<Record<EventSource, number>> = {
  call_event: NOTIFICATION_LIFETIME_MS,
  new_device: Infinity,
  payout_changed: Infinity,
  payment_received: NOTICE_LIFETIME_MS,
  payment_refunded: NOTICE_LIFETIME_MS,
};
const SOURCES = keysOf(LIFETIMES_MS);

export interface RequestedEvent {
  readonly kind: Exclude<CallEventKind, 'level_hit'>;
  readonly id: string;
  readonly callId?: string;
  readonly callerId: string;
}

interface NewEventsOptions {
  readonly repository: NewEventsRepository;
  readonly outbox: Pick<Outbox, 'add'>;
  readonly live: Pick<Live, 'callsChanged'>;
  readonly clock: Clock;
}

interface HandOver {
  readonly source: EventSource;
  readonly keys: readonly NewEvent['key'][];
  readonly events: readonly OutgoingEvent[];
}

export type NewEventsService = ReturnType<typeof createNewEventsService>;

export function createNewEventsService({ repository, outbox, live, clock }: NewEventsOptions) {
  /**
   * Passes events to the sender, then marks them as accepted. After a crash between the two, the sender gets the
   * events again and ignores them as duplicates.
   */
  const handOver = async ({ source, keys, events }: HandOver): Promise<void> => {
    if (events.length > 0) await outbox.add(events);
    await repository.markAccepted(source, { keys, now: clock.now() });
  };

  const notifySource = async (source: EventSource) => {
    const sum = { added: 0, tooOld: 0 };
    const freshFrom = clock.now() - LIFETIMES_MS[source];
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const rows = await repository.listNew(source, OUTBOX_BATCH_SIZE);
      if (rows.length === 0) break;
      if (source === 'call_event') live.callsChanged(changesOf(rows));
      const fresh = rows.filter(({ at }) => at > freshFrom);
      const events = fresh.flatMap((row) => outgoingOf(source, row));
      await handOver({ source, keys: rows.map(({ key }) => key), events });
      sum.added += events.length;
      sum.tooOld += rows.length - fresh.length;
      if (rows.length < OUTBOX_BATCH_SIZE) break;
    }
    return sum;
  };

  /** Waits a limited time for the sender. Logs a failure instead of throwing, because `notifyAll` retries. */
  const soon = async (eventId: string, work: Promise<unknown>): Promise<void> => {
    try {
      await withTimeout(work, NOTIFY_TIMEOUT_MS);
    } catch (error) {
      console.warn(JSON.stringify({ event: 'new_event.delayed', eventId, error: describeError(error) }));
    }
  };

  return {
    /**
     * Passes new events to the sender, and marks expired ones without sending them. Two runs may overlap. If one
     * source fails, the others are still read.
     */
    async notifyAll(): Promise<{ added: number; tooOld: number }> {
      const results = await Promise.allSettled(SOURCES.map(notifySource));
      const sum = { added: 0, tooOld: 0 };
      for (const result of results) {
        if (result.status === 'rejected') throw result.reason;
        sum.added += result.value.added;
        sum.tooOld += result.value.tooOld;
      }
      return sum;
    },

    /** Notifies open pages of a request's event, and passes it to the sender. Never throws. */
    async notifySoon({ kind, id, callId = id, callerId }: RequestedEvent): Promise<void> {
      const eventId = `${kind}:${id}`;
      live.callsChanged([{ callerId, callId }]);
      const events = [{ kind: 'call_event', id: eventId }] as const;
      await soon(eventId, handOver({ source: 'call_event', keys: [eventId], events }));
    },

    /** Doesn't wait for the cron, because a thief could disconnect the chat before its next run. Never throws. */
    notifyOfDevices: () => soon('new_device', notifySource('new_device')),
  };
}

function changesOf(rows: readonly NewEvent[]): CallChange[] {
  const callers = new Map(rows.map(({ callId, userId }) => [callId, userId]));
  return [...callers].flatMap(([callId, callerId]) => (callId === null ? [] : [{ callId, callerId }]));
}

/** A user without a chat or browser gets no notice, not even after connecting one later. */
function outgoingOf(source: EventSource, { key, userId, notice, isReachable }: NewEvent): OutgoingEvent[] {
  const subject = String(key);
  const events: OutgoingEvent[] = source === 'call_event' ? [{ kind: 'call_event', id: subject }] : [];
  if (notice === null || isReachable === 0) return events;
  return [...events, { kind: notice, id: `${notice}:${subject}`, userId, subject }];
}
