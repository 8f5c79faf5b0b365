import { beforeEach, expect, it, vi } from 'vitest';
import { NOTIFICATION_LIFETIME_MS, OUTBOX_BATCH_SIZE } from '#schema/constants/messages.ts';
import { SECOND_MS } from '#schema/constants/time.ts';
import type { OutgoingEvent } from '../../../ports/outbox.ts';
import type { EventSource, NewEvent, NewEventsRepository } from './new-events.repository.ts';
import { createNewEventsService } from './new-events.service.ts';

const NOW = 1_800_000_000_000;

let rows: Map<EventSource, NewEvent[]>;
let added: OutgoingEvent[];

beforeEach(() => {
  rows = new Map();
  added = [];
});

/** Creates the service with rows in memory instead of a database. */
function createService({ broken, add }: { broken?: EventSource; add?: () => Promise<void> } = {}) {
  const repository: NewEventsRepository = {
    async listNew(source, limit) {
      if (source === broken) throw new Error(`${source} is broken`);
      return (rows.get(source) ?? []).slice(0, limit);
    },
    async markAccepted(source, { keys }) {
      rows.set(
        source,
        (rows.get(source) ?? []).filter(({ key }) => !keys.includes(key)),
      );
    },
  };
  const outbox = { add: add ?? (async (events: readonly OutgoingEvent[]) => void added.push(...events)) };
  const clock = { now: () => NOW, sleep: async () => undefined };
  return createNewEventsService({ repository, outbox, live: { callsChanged: () => undefined }, clock });
}

const newEvent = (key: string, change: Partial<NewEvent> = {}): NewEvent => ({
  key,
  userId: 'user',
  callId: null,
  at: NOW,
  notice: null,
  isReachable: 1,
  ...change,
});

it('new events of the other sources reach the sender even if one source fails', async () => {
  rows.set('payment_received', [newEvent('p', { notice: 'payment_received' })]);
  await expect(createService({ broken: 'call_event' }).notifyAll()).rejects.toThrow('call_event is broken');
  expect(added).toEqual([
    { kind: 'payment_received', id: 'payment_received:p', userId: 'user', subject: 'p' },
  ]);
  expect(rows.get('payment_received')).toEqual([]);
});

it('new events are read in pages, and call events that are an hour old are not sent', async () => {
  const old = { at: NOW - NOTIFICATION_LIFETIME_MS };
  rows.set('call_event', [
    ...Array.from({ length: 2 * OUTBOX_BATCH_SIZE + 5 }, (_, index) => newEvent(`old:${index}`, old)),
    newEvent('new', { at: old.at + 1 }),
  ]);
  const service = createService();
  expect(await service.notifyAll()).toEqual({ added: 1, tooOld: 2 * OUTBOX_BATCH_SIZE + 5 });
  expect(added).toEqual([{ kind: 'call_event', id: 'new' }]);
  expect(await service.notifyAll()).toEqual({ added: 0, tooOld: 0 });
});

it('a request waits at most two seconds for the sender, and its event remains unsent', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  rows.set('call_event', [newEvent('call_opened:a')]);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  let isOver = false;
  const announced = createService({ add: () => new Promise(() => undefined) })
    .notifySoon({ kind: 'call_opened', id: 'a', callerId: 'user' })
    .then(() => (isOver = true));
  await vi.advanceTimersByTimeAsync(2 * SECOND_MS - 1);
  expect(isOver).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await announced;
  expect([vi.getTimerCount(), warn.mock.calls.length]).toEqual([0, 1]);
  expect(rows.get('call_event')).toHaveLength(1);
});
