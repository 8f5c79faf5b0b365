import { beforeEach, expect, it, vi } from 'vitest';
import { NOTIFICATION_LIFETIME_MS } from '#schema/constants/messages.ts';
import { MINUTE_MS, SECOND_MS } from '#schema/constants/time.ts';
import { createDatabase } from '../../../shared/database.ts';
import { query } from '#test/database/database.ts';
import { countRows } from '#test/database/count-rows.ts';
import { runScript } from '#test/database/run-script.ts';
import { createTestApp, testEnv, type Person, type TestApp } from '#test/test-app.ts';
import type { Outbox, OutgoingEvent } from '../../../ports/outbox.ts';
import type { ToldFact } from './fact-kind.ts';
import {
  createMessagesWriter,
  FACTS_PER_PAGE,
  MAX_FACTS_PER_RUN,
  MAX_SPLITS_PER_RUN,
} from './messages-writer.ts';

let app: TestApp;
let person: Person;
let added: OutgoingEvent[];

beforeEach(async () => {
  app = await createTestApp();
  person = await app.signIn('mina_x');
  added = [];
});

const kind: ToldFact = {
  lifetimeMs: NOTIFICATION_LIFETIME_MS,
  audience: 'followers',
  isFor: (channel) => channel !== 'webhook',
  compose: async () => null,
  composeWebhook: async () => null,
};

const createWriter = (
  add: Outbox['add'] = async (events) => void added.push(...events),
  database = testEnv.DB,
) =>
  createMessagesWriter({
    db: createDatabase(database),
    clock: app.clock,
    kinds: new Map([
      ['known', kind],
      ['other', kind],
    ]),
    outbox: { add, resend: async () => undefined, wake: async () => 0 },
    live: { callsChanged: () => undefined, peopleChanged: () => undefined },
  });

/** Handing over facts with these subjects fails. */
const failingFor = (subjects: RegExp) => async (events: readonly OutgoingEvent[]) => {
  if (events.some(({ subject }) => subjects.test(subject))) {
    throw new Error('Storage operation exceeded timeout');
  }
  added.push(...events);
};

const insert = (count: number, at: number, kindName = 'known') =>
  runScript(
    `INSERT INTO facts (is_reminder, at, kind, subject, user_id)
    SELECT 0, ${at}, '${kindName}', ${at} || '-' || i, '${person.id}' FROM n;`,
    { count },
  );
const countFacts = async () => (await query('SELECT * FROM facts')).length;

it('while a sender fails, newer facts for other people reach the other senders, and the rest stays', async () => {
  const at = app.clock.now();
  await insert(FACTS_PER_PAGE, at - 1);
  await insert(5, at);
  const { id: otherId } = await app.signIn('zoe_x');
  await query('UPDATE facts SET user_id = ? WHERE at = ? AND subject > ?', otherId, at, `${at}-1`);
  const writer = createWriter(failingFor(new RegExp(`^${at - 1}-`)));
  await expect(writer.write()).rejects.toThrow('Storage operation exceeded timeout');
  expect(added.map(({ subject }) => subject)).toEqual([2, 3, 4, 5].map((number) => `${at}-${number}`));
  expect(await countFacts()).toBe(FACTS_PER_PAGE + 1);
});

it('a fact that always fails holds up nothing else after a minute, not even other facts of its person', async () => {
  const at = app.clock.now();
  await insert(FACTS_PER_PAGE, at);
  await insert(5, at + 1);
  const { id: otherId } = await app.signIn('zoe_x');
  await query('UPDATE facts SET user_id = ? WHERE subject = ?', otherId, `${at + 1}-5`);
  await app.advance(1);
  const failed = `${at}-${FACTS_PER_PAGE / 2}`;
  const writer = createWriter(failingFor(new RegExp(`^${failed}$`)));
  await expect(writer.write()).rejects.toThrow('Storage operation exceeded timeout');
  expect(added.map(({ subject }) => subject)).toContain(`${at + 1}-5`);
  await app.advance(MINUTE_MS);
  await expect(writer.write()).rejects.toThrow('Storage operation exceeded timeout');
  expect(await query('SELECT subject FROM facts')).toEqual([{ subject: failed }]);
});

it('while all senders fail, a run tries again in few parts of a page', async () => {
  await insert(2 * FACTS_PER_PAGE, app.clock.now() - MINUTE_MS);
  const add = vi.fn(failingFor(/^/));
  await expect(createWriter(add).write()).rejects.toThrow('Storage operation exceeded timeout');
  expect(add.mock.calls.length).toBeLessThanOrEqual(2 + 2 * MAX_SPLITS_PER_RUN);
  expect(await countFacts()).toBe(2 * FACTS_PER_PAGE);
});

it('facts are read in pages, and those that are too old are deleted without being told', async () => {
  const old = app.clock.now() - NOTIFICATION_LIFETIME_MS;
  await insert(2 * FACTS_PER_PAGE + 5, old);
  await insert(1, old + 1);
  const writer = createWriter();
  expect(await writer.write()).toBe(2 * FACTS_PER_PAGE + 6);
  const subject = `${old + 1}-1`;
  expect(added).toEqual([{ kind: 'known', id: `known:${subject}`, subject, userId: person.id }]);
  expect([await writer.write(), await countFacts()]).toEqual([0, 0]);
});

it('one run hands over 10,000 facts with few statements, and leaves the rest to the next run', async () => {
  const cost = { statements: 0, read: 0, written: 0 };
  const database = countRows(testEnv.DB, ({ rows, written }) => {
    cost.statements += 1;
    cost.read += rows;
    cost.written += written;
  });
  await insert(MAX_FACTS_PER_RUN + 1, app.clock.now());
  expect(await createWriter(undefined, database).write()).toBe(MAX_FACTS_PER_RUN);
  expect(added).toHaveLength(MAX_FACTS_PER_RUN);
  expect(cost.statements).toBeLessThanOrEqual(50);
  expect([cost.read / MAX_FACTS_PER_RUN <= 10, cost.written / MAX_FACTS_PER_RUN <= 2]).toEqual([true, true]);
  expect(await createWriter().write()).toBe(1);
});

it('facts of several kinds are told in the order in which they happened', async () => {
  const now = app.clock.now();
  await insert(1, now - 2);
  await insert(1, now - 1, 'other');
  await insert(1, now);
  await createWriter().write();
  expect(added.map(({ id }) => id)).toEqual([`known:${now - 2}-1`, `other:${now - 1}-1`, `known:${now}-1`]);
});

it('a fact of a kind that this version does not know stays for the version that wrote it', async () => {
  await insert(1, app.clock.now(), 'newer');
  expect([await createWriter().write(), await countFacts()]).toEqual([0, 1]);
});

it('a request waits at most two seconds for the sender, and its fact stays', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  await insert(1, app.clock.now());
  const reached = Promise.withResolvers<void>();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  let isOver = false;
  const written = createWriter(() => {
    reached.resolve();
    return new Promise(() => undefined);
  })
    .writeSoon()
    .then(() => (isOver = true));
  await reached.promise;
  await vi.advanceTimersByTimeAsync(2 * SECOND_MS - 1);
  expect(isOver).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await written;
  expect([vi.getTimerCount(), warn.mock.calls.length]).toEqual([0, 1]);
  vi.useRealTimers();
  expect(await countFacts()).toBe(1);
});
