import { beforeEach, describe, expect, it } from 'vitest';
import { LOG_CHECKPOINT_MAX_ENTRIES } from '#schema/constants/log.ts';
import { fromBase64 } from '../../shared/base64.ts';
import { canonicalJson, type Json } from '../../shared/canonical-json.ts';
import { isSignedBy } from '../../shared/ed25519.ts';
import { commit } from './log-entries.ts';
import { query } from '#test/database/database.ts';
import { interceptDatabase } from '#test/database/intercept-database.ts';
import { appendEvents, endOf, eventOf, readCheckpoint, readLog, type LogEntry } from '#test/log.ts';
import { loseDatabase } from '#test/database/storage.ts';
import { createTestApp, testEnv, type TestApp } from '#test/test-app.ts';
import { createAnchorWallet } from './anchor-wallet.ts';
import { PUBLISHED_CHECKPOINT } from './sequencer.service.ts';
import { readVerifierKey, SIGNS_NOTES } from './signed-note.ts';

let app: TestApp;

beforeEach(async () => {
  app = await createTestApp();
});

const sequence = () => app.services.logSequencer.sequence();
const openings = (count: number, name = 'call') =>
  Array.from({ length: count }, (_, index) =>
    eventOf(`${name}-${index}`, { callerId: `caller-${index % 7}` }),
  );
const checkpoints = () =>
  query<{ size: number; previous_size: number; root: string }>(
    'SELECT size, previous_size, root FROM log_checkpoints ORDER BY size',
  );

it('the sequencer signs nothing while there are no new entries', async () => {
  expect(await sequence()).toBe(1);
  expect(await sequence()).toBe(0);
  await appendEvents(eventOf('a'));
  expect(await sequence()).toBe(1);
  expect(await sequence()).toBe(0);
  expect((await checkpoints()).map(({ size }) => size)).toEqual([1, 2]);
});

it('the first log entry has the log’s key and wallet, even if other events were stored earlier', async () => {
  await appendEvents(...openings(3));
  await sequence();
  const [first] = await readLog(app);
  expect(first).toEqual({
    v: 1,
    kind: 'keys',
    key: app.services.log.verifierKey(),
    wallet: createAnchorWallet(testEnv.LOG_ANCHOR_KEY).address(),
    signature: null,
    time: app.clock.now(),
  });
});

it('the sequencer numbers and chains each caller’s entries', async () => {
  await appendEvents(
    ...openings(10),
    eventOf('x', { callerId: 'other', callId: null, kind: 'named', salt: null }),
  );
  await sequence();
  await appendEvents(...openings(5, 'later'));
  await sequence();
  const entries = await readLog(app);
  expect(entries.map(({ kind }) => kind)).toEqual([
    'keys',
    ...Array.from({ length: 10 }, () => 'opened'),
    'named',
    ...Array.from({ length: 5 }, () => 'opened'),
  ]);
  expect(entries[8]).toMatchObject({ caller: 'caller-0', number: 2 });
  expect(entries[12]).toMatchObject({ caller: 'caller-0', number: 3 });
  expect((await checkpoints()).map(({ size }) => size)).toEqual([12, 17]);
});

describe('key changes', () => {
  const SEEDS = { old: testEnv.LOG_PRIVATE_KEY, next: btoa('n'.repeat(32)), other: btoa('o'.repeat(32)) };
  const newestKeys = async (bindings: Readonly<Record<string, string>>) => {
    const changed = await createTestApp({ bindings });
    await changed.services.logSequencer.sequence();
    expect(await changed.services.logSequencer.sequence()).toBe(0);
    const entries = await readLog(changed);
    return entries.findLast(({ kind }) => kind === 'keys');
  };
  const isSignedByOld = async ({ signature, ...entry }: LogEntry) => {
    const { publicKey } = readVerifierKey(app.services.log.verifierKey(), SIGNS_NOTES);
    const message = new TextEncoder().encode(canonicalJson(entry));
    return isSignedBy({ message, signature: fromBase64(String(signature)), publicKey });
  };

  beforeEach(async () => {
    await appendEvents(...openings(3));
    await sequence();
  });

  it('a change of the log’s key writes an entry that is signed with the old key', async () => {
    const entry = await newestKeys({ LOG_PRIVATE_KEY: SEEDS.next, LOG_OLD_PRIVATE_KEY: SEEDS.old });
    expect(entry?.['key']).not.toBe(app.services.log.verifierKey());
    expect(entry && (await isSignedByOld(entry))).toBe(true);
  });

  it('a change of the anchor wallet writes an entry that is signed with the log’s key', async () => {
    const entry = await newestKeys({ LOG_ANCHOR_KEY: SEEDS.next });
    expect(entry?.['wallet']).toBe(createAnchorWallet(SEEDS.next).address());
    expect(entry && (await isSignedByOld(entry))).toBe(true);
  });

  it.each([{}, { LOG_OLD_PRIVATE_KEY: SEEDS.other }])(
    'the entry of a new log key has no signature if the old private key is missing or wrong (%j)',
    async (bindings) => {
      const entry = await newestKeys({ LOG_PRIVATE_KEY: SEEDS.next, ...bindings });
      expect(entry).toMatchObject({ kind: 'keys', signature: null });
    },
  );
});

it('the sequencer seals openings and updates until the call ends, then reveals them', async () => {
  const opening = eventOf('a', { content: { call: 'a', entryPrice: '1' } });
  const update = eventOf('a', { kind: 'updated', subjectId: 'u', content: { call: 'a', text: 'hash' } });
  await appendEvents(opening, eventOf('b'));
  await sequence();
  await appendEvents(update, endOf('a', { content: { call: 'a', endPrice: '2' } }));
  await sequence();
  const entries = await readLog(app);
  const [, sealed, , , ended] = entries;
  expect(sealed).toEqual({
    caller: 'caller',
    commitment: expect.any(String) as string,
    v: 1,
    kind: 'opened',
    number: 1,
    previous: null,
  });
  expect(ended).toMatchObject({ kind: 'ended', number: 4, call: 'a', endPrice: '2', time: opening.at });
  const { reveals } = ended as unknown as { reveals: { content: Json; number: number; salt: string }[] };
  expect(reveals.map(({ number, content }) => ({ number, content }))).toEqual([
    { number: 1, content: { v: 1, call: 'a', entryPrice: '1', kind: 'opened', time: opening.at } },
    { number: 3, content: { v: 1, call: 'a', text: 'hash', kind: 'updated', time: update.at } },
  ]);
  for (const { salt, content, number } of reveals) {
    const entry = entries.find((each) => each.number === number && each.caller === 'caller');
    expect(entry?.['commitment']).toBe(commit(salt, canonicalJson(content)));
  }
});

it('the sequencer signs no entry that is too long', async () => {
  await appendEvents(
    eventOf('a', { kind: 'named', callId: null, salt: null, content: { a: 'x'.repeat(70_000) } }),
  );
  await expect(sequence()).rejects.toThrow('The log entry 2 is too long');
  expect(await checkpoints()).toEqual([]);
});

it('the sequencer splits a backlog into several checkpoints within the entry limit', async () => {
  await appendEvents(...openings(LOG_CHECKPOINT_MAX_ENTRIES + 100));
  expect(await sequence()).toBe(LOG_CHECKPOINT_MAX_ENTRIES + 101);
  expect((await checkpoints()).map(({ size }) => size)).toEqual([
    LOG_CHECKPOINT_MAX_ENTRIES,
    LOG_CHECKPOINT_MAX_ENTRIES + 101,
  ]);
  await readLog(app);
});

it('only one of three sequencer runs that start from the same checkpoint commits', async () => {
  await appendEvents(...openings(20));
  await sequence();
  await appendEvents(...openings(20, 'later'));
  const added = await Promise.all([sequence(), sequence(), sequence()]);
  expect(added.reduce((sum, each) => sum + each, 0)).toBe(20);
  expect((await checkpoints()).map(({ size }) => size)).toEqual([21, 41]);
  await readLog(app);
});

it.each([
  ['a second checkpoint with the same predecessor', 'INSERT INTO log_checkpoints VALUES (9, 0, "", "", 1)'],
  ['a replaced checkpoint', 'REPLACE INTO log_checkpoints VALUES (3, 0, "", "", 1)'],
  ['a changed checkpoint', "UPDATE log_checkpoints SET root = ''"],
  ['a deleted checkpoint', 'DELETE FROM log_checkpoints'],
  ['a changed tile', "UPDATE log_tiles SET data = 'x' || data"],
  ['a shorter tile', 'UPDATE log_tiles SET data = substr(data, 1, 44)'],
  ['a replaced tile', "REPLACE INTO log_tiles VALUES (0, 0, '{}')"],
  ['a deleted tile', 'DELETE FROM log_tiles'],
])('the log’s database refuses %s', async (_, statement) => {
  await appendEvents(...openings(2));
  await sequence();
  const before = await query('SELECT * FROM log_tiles, log_checkpoints');
  await expect(query(statement.replaceAll('"', "'"))).rejects.toThrow(/follow|never|grow/);
  expect(await query('SELECT * FROM log_tiles, log_checkpoints')).toEqual(before);
});

const save = () => query('SELECT * FROM log_entries ORDER BY id');
const restore = async (rows: readonly Record<string, unknown>[]) => {
  await loseDatabase();
  for (const row of rows) {
    const names = Object.keys(row);
    await query(
      `INSERT INTO log_entries (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
      ...Object.values(row),
    );
  }
};

it('the sequencer signs nothing that contradicts a published checkpoint, which is still served', async () => {
  await appendEvents(...openings(5));
  await sequence();
  const published = await readCheckpoint(app);
  const rows = await save();
  await restore(rows.slice(0, 4));
  await expect(sequence()).rejects.toThrow('The log has 4 of 6 published entries');
  await restore(rows.slice(0, 4));
  await appendEvents(...openings(5, 'other'));
  await expect(sequence()).rejects.toThrow('differs from its published checkpoint of 6 entries');
  expect(await checkpoints()).toEqual([]);
  expect(await readCheckpoint(app)).toEqual(published);
});

it('the sequencer recomputes lost tiles and checkpoints from the entries, with the same roots', async () => {
  for (const name of ['one', 'two', 'three']) {
    await appendEvents(...openings(30, name), endOf(`${name}-0`, { callerId: 'caller-0' }));
    await sequence();
  }
  const published = await readCheckpoint(app);
  await restore(await save());
  expect(await sequence()).toBe(94);
  expect(await readCheckpoint(app)).toEqual(published);
  await readLog(app);
});

/** `before`: the operation isn't done. `after`: it's done, but its response is lost. */
const FAULTS = ['before', 'after'] as const;

/** Creates an app whose `stopAt`th operation on the database or bucket fails, before or after it's done. */
async function createFailingApp(stopAt: number, fault: (typeof FAULTS)[number]) {
  let operations = 0;
  const around = async <Result>(run: () => Promise<Result>): Promise<Result> => {
    const isNow = operations++ === stopAt;
    if (isNow && fault === 'before') throw new Error('Network connection lost.');
    // The simulated machine has stopped, so all later operations fail.
    if (operations > stopAt + 1) throw new Error('Network connection lost.');
    const result = await run();
    if (isNow) throw new Error('Network connection lost.');
    return result;
  };
  const BACKUPS = {
    get: (key: string) => around(() => testEnv.BACKUPS.get(key)),
    put: (key: string, value: string) => around(() => testEnv.BACKUPS.put(key, value)),
  } as unknown as R2Bucket;
  const DB = interceptDatabase(testEnv.DB, (_, run) => around(run));
  return { failing: await createTestApp({ bindings: { DB, BACKUPS } }), count: () => operations };
}

it('a sequencer run that stops anywhere writes no partial checkpoint, and the next run continues without a gap', async () => {
  const { failing, count } = await createFailingApp(Number.POSITIVE_INFINITY, 'before');
  await appendEvents(...openings(3));
  await failing.services.logSequencer.sequence();
  const operations = count();
  expect(operations).toBeGreaterThan(6);
  let written = 4;
  for (const fault of FAULTS) {
    for (let at = 0; at < operations; at++) {
      const name = `${fault}-${at}`;
      await appendEvents(...openings(3, name), endOf(`${name}-1`, { callerId: 'caller-1' }));
      const { failing: stopping } = await createFailingApp(at, fault);
      await stopping.services.logSequencer.sequence().catch(() => undefined);
      await sequence();
      const { size } = await readCheckpoint(app);
      written += 4;
      expect([name, size]).toEqual([name, written]);
    }
  }
  const entries = await readLog(app);
  const list = await checkpoints();
  expect(list.map(({ previous_size: size }) => size)).toEqual([
    0,
    ...list.map(({ size }) => size).slice(0, -1),
  ]);
  const published = await (await testEnv.BACKUPS.get(PUBLISHED_CHECKPOINT))?.text();
  expect(published?.split('\n')[1]).toBe(String(entries.length));
});
