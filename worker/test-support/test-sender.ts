import { runInDurableObject } from 'cloudflare:test';
import { SENDER_NAME, type Bindings } from '../app/env.ts';
import type { Services } from '../app/services.ts';
import type { Sender } from '../modules/delivery/sender.ts';
import type { Clock } from '../ports/clock.ts';
import type { OutgoingEvent } from '../ports/outbox.ts';

/** A message without an outcome. */
export interface WaitingMessage {
  readonly eventId: string;
  readonly userId: string;
  /** Unix ms. */
  readonly dueAt: number;
}

/** The sender over a real Durable Object's database, at the test's clock; its alarm rings when a test says so. */
export interface TestSender {
  /** Stores events that no product code added. */
  add(...events: OutgoingEvent[]): Promise<void>;
  /** Events and messages that are not through, in the order in which they were stored. */
  events(): Promise<string[]>;
  waiting(): Promise<WaitingMessage[]>;
  /** Takes so many more batches of events, then refuses them. */
  failAfter(batches: number): void;
  /** Neither takes nor refuses events until `failAfter`. */
  hang(): void;
  /** Waits for the alarm and sends until nothing more is due. Returns in how many seconds each message left is due. */
  deliver(): Promise<number[]>;
}

export interface TestSenderOptions {
  readonly namespace: Bindings['SENDER'];
  readonly services: () => Services;
  readonly clock: Clock;
}

export function createTestSender({ namespace, services, clock }: TestSenderOptions): {
  sender: TestSender;
  binding: Bindings['SENDER'];
} {
  let opened: { sender: Sender; sql: SqlStorage } | null = null;
  const alarm: { at: number | null } = { at: null };
  let batchesLeft = Number.POSITIVE_INFINITY;
  let isHanging = false;

  const inObject = <Result>(work: (object: { sender: Sender; sql: SqlStorage }) => Promise<Result>) =>
    runInDurableObject(namespace.getByName(SENDER_NAME), (_, { storage: { sql } }) => {
      const setAlarm = async (at: number | null) => {
        alarm.at = at;
      };
      opened ??= { sender: services().openSender({ sql, setAlarm }), sql };
      return work(opened);
    });
  const add = (events: readonly OutgoingEvent[]) => inObject(({ sender }) => sender.add(events));
  const waiting = () =>
    inObject(async ({ sql }) =>
      sql
        .exec<{ eventId: string; userId: string; dueAt: number }>(
          'SELECT event_id AS eventId, user_id AS userId, due_at AS dueAt FROM messages WHERE outcome IS NULL ORDER BY rowid',
        )
        .toArray(),
    );

  const outbox = {
    async add(events: readonly OutgoingEvent[]) {
      if (isHanging) await new Promise(() => undefined);
      batchesLeft -= 1;
      if (batchesLeft < 0) throw new Error('The sender refused the events');
      await add(structuredClone(events));
    },
    wake: () => inObject(({ sender }) => sender.wake()),
  };
  const sender: TestSender = {
    add: (...events) => add(events),
    waiting,
    events: () =>
      inObject(async ({ sql }) =>
        sql
          .exec<{ id: string }>('SELECT id FROM events WHERE done_at IS NULL ORDER BY rowid')
          .toArray()
          .map(({ id }) => id),
      ),
    failAfter(batches) {
      batchesLeft = batches;
      isHanging = false;
    },
    hang() {
      isHanging = true;
    },
    async deliver() {
      await inObject(async (object) => {
        if (alarm.at !== null && alarm.at > clock.now()) await clock.sleep(alarm.at - clock.now());
        while (alarm.at !== null && alarm.at <= clock.now()) {
          await object.sender.run();
          await object.sender.idle();
        }
      });
      return (await waiting()).map(({ dueAt }) => Math.ceil((dueAt - clock.now()) / 1_000));
    },
  };
  return { sender, binding: { getByName: () => outbox } as unknown as Bindings['SENDER'] };
}
