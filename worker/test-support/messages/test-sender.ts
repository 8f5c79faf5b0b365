import { runInDurableObject } from 'cloudflare:test';
import type { Bindings } from '../../app/env.ts';
import type { Services } from '../../app/services.ts';
import type { Sender } from '../../modules/messages/delivery/sender.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Channel, OutgoingEvent } from '../../ports/outbox.ts';

/** A message without an outcome. */
export interface WaitingMessage {
  readonly eventId: string;
  readonly userId: string;
  /** Unix ms. Null while it waits for an earlier message. */
  readonly dueAt: number | null;
}

/** The real sender with a Durable Object's database and the test's clock. Only `deliver` fires its alarm. */
export interface TestSender {
  /** Adds events directly. */
  add(...events: OutgoingEvent[]): Promise<void>;
  /** Ids of events not yet processed, in the order they were added. */
  events(): Promise<string[]>;
  waiting(): Promise<WaitingMessage[]>;
  /** Makes the sender accept `batches` more batches of events, then throw. */
  failAfter(batches: number): void;
  /** Sends all due messages. Returns the seconds until each remaining message is due, null if it waits for another. */
  deliver(): Promise<(number | null)[]>;
}

export interface TestSenderOptions {
  readonly channel: Channel;
  readonly namespace: Bindings['SENDER'];
  readonly services: () => Services;
  readonly clock: Clock;
}

export type TestOutbox = ReturnType<Bindings['SENDER']['getByName']>;

export function createTestSender({ channel, namespace, services, clock }: TestSenderOptions): {
  sender: TestSender;
  outbox: TestOutbox;
} {
  let opened: { sender: Sender; sql: SqlStorage; owner: unknown } | null = null;
  const alarm: { at: number | null } = { at: null };
  let batchesLeft = Number.POSITIVE_INFINITY;

  const inObject = <Result>(work: (object: { sender: Sender; sql: SqlStorage }) => Promise<Result>) =>
    runInDurableObject(namespace.getByName(channel), (owner, { storage: { sql } }) => {
      const setAlarm = async (at: number | null) => {
        alarm.at = at;
      };
      // The runtime replaces an object that has been idle for ten seconds.
      if (opened?.owner !== owner) {
        opened = { sender: services().openSender(channel, { sql, setAlarm }), sql, owner };
      }
      return work(opened);
    });
  const add = (events: readonly OutgoingEvent[]) => inObject(({ sender }) => sender.add(events));
  const waiting = () =>
    inObject(async ({ sql }) =>
      sql
        .exec<{ eventId: string; userId: string; dueAt: number | null }>(
          'SELECT event_id AS eventId, user_id AS userId, due_at AS dueAt FROM messages WHERE outcome IS NULL ORDER BY rowid',
        )
        .toArray(),
    );

  const outbox = {
    async add(events: readonly OutgoingEvent[]) {
      batchesLeft -= 1;
      if (batchesLeft < 0) throw new Error('The sender rejected the events');
      await add(structuredClone(events));
    },
    async resend(ids: readonly string[]) {
      batchesLeft -= 1;
      if (batchesLeft < 0) throw new Error('The sender rejected the events');
      await inObject(({ sender }) => sender.resend(ids));
    },
    wake: () => inObject(({ sender }) => sender.wake()),
    listResults: (userId: string) => inObject(({ sender }) => sender.listResults(userId)),
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
    },
    async deliver() {
      await inObject(async (object) => {
        if (alarm.at !== null && alarm.at > clock.now()) await clock.sleep(alarm.at - clock.now());
        while (alarm.at !== null && alarm.at <= clock.now()) {
          await object.sender.run();
          await object.sender.idle();
        }
      });
      return (await waiting()).map(({ dueAt }) => dueAt && Math.ceil((dueAt - clock.now()) / 1_000));
    },
  };
  return { sender, outbox: outbox as unknown as TestOutbox };
}
