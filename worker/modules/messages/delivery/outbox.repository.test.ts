import { runInDurableObject } from 'cloudflare:test';
import { beforeEach, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '#schema/constants/time.ts';
import { createTestApp, testEnv, type TestApp } from '#test/test-app.ts';
import { createOutboxStore, type OutboxStore } from './outbox.repository.ts';

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp();
});

const CALL_EVENT = { lifetimeMs: HOUR_MS, hasAudience: true, isOfCall: true };
const UNKNOWN = { ...CALL_EVENT, lifetimeMs: 0 };

interface Opened {
  readonly store: OutboxStore;
  readonly now: number;
  readonly figures: { rows: number };
}

const withStore = <Result>(work: (opened: Opened) => Result): Promise<Result> =>
  runInDurableObject(testEnv.SENDER.getByName('push'), (_, { storage }) => {
    const figures = { rows: 0 };
    const exec = (text: string, ...params: SqlStorageValue[]) => {
      const cursor = storage.sql.exec(text, ...params);
      const rows = cursor.toArray();
      figures.rows += cursor.rowsRead;
      return { toArray: () => rows };
    };
    const store = createOutboxStore({
      storage: { exec } as unknown as SqlStorage,
      clock: app.clock,
      traitsOf: ({ kind }) => (kind === 'newer' ? UNKNOWN : CALL_EVENT),
    });
    return work({ store, now: app.clock.now(), figures });
  });

/** Adds an update of the same caller, for these followers. */
function addUpdate({ store, now }: Opened, number: number, userIds: readonly string[]): void {
  const event = { kind: 'call_update', id: `call_update:${number}`, subject: `${number}`, userId: 'caller' };
  store.add({ event, now });
  store.addFollowers({ event, userIds, next: null, now });
}

const listDue = ({ store, now }: Opened, at = now) =>
  store
    .listReady({ now: at, limit: 25, isHeld: false })
    .flatMap((event) => store.listDue(event, { now: at, busy: [], limit: 25 }));

it('an update is due once the caller’s earlier one to the same person was tried, and sets no alarm before', async () => {
  await withStore((opened) => {
    const { store, now } = opened;
    addUpdate(opened, 1, ['mina']);
    addUpdate(opened, 2, ['mina', 'zoe']);
    expect(listDue(opened).map(({ event, userId }) => [event.id, userId])).toEqual([
      ['call_update:1', 'mina'],
      ['call_update:2', 'zoe'],
    ]);
    for (const message of listDue(opened).filter(({ userId }) => userId === 'zoe')) {
      store.record(message, 'delivered');
    }
    const limitedUntil = now + 30 * MINUTE_MS;
    store.postponeUser({ userId: 'mina', until: limitedUntil });
    expect(store.nextDueAt()).toBe(limitedUntil);
    const [first] = listDue(opened, limitedUntil);
    if (first) store.record(first, 'delivered');
    expect(listDue(opened).map(({ event }) => event.id)).toEqual(['call_update:2']);
  });
});

it('an update is due once the caller’s earlier one to the same person was given up', async () => {
  await withStore((opened) => {
    addUpdate(opened, 1, ['mina']);
    addUpdate(opened, 2, ['mina']);
    opened.store.close({ ids: ['call_update:1'], now: opened.now });
    expect(listDue(opened).map(({ event }) => event.id)).toEqual(['call_update:2']);
  });
});

it('after operators resend two events that were given up, each person gets the earlier one first', async () => {
  await withStore((opened) => {
    const { store, now } = opened;
    const ids = ['call_update:1', 'call_update:2'];
    addUpdate(opened, 1, ['mina']);
    addUpdate(opened, 2, ['mina']);
    store.close({ ids, now });
    store.reopen({ ids, now });
    expect(listDue(opened).map(({ event }) => event.id)).toEqual(['call_update:1']);
  });
});

it('choosing and recording 25 messages reads few rows while ten updates for 2,000 followers wait', async () => {
  const rows = await withStore((opened) => {
    const { store, figures } = opened;
    const followers = Array.from({ length: 2_000 }, (_, index) => `follower-${index}`);
    for (let number = 1; number <= 10; number += 1) addUpdate(opened, number, followers);
    figures.rows = 0;
    const batch = listDue(opened);
    expect(batch).toHaveLength(25);
    for (const message of batch) store.record(message, 'delivered');
    return figures.rows;
  });
  expect(rows).toBeLessThan(2_000);
});

it('a sender refuses an event of a kind that only a newer version knows', async () => {
  await withStore(({ store, now }) => {
    const event = { kind: 'newer', id: 'newer:1', subject: '1', userId: 'mina' };
    expect(() => store.add({ event, now })).toThrow('This version doesn’t know newer');
  });
});
