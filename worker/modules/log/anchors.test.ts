import { beforeEach, expect, it, vi } from 'vitest';
import { LOG_ANCHOR_LATE_MS, LOG_ANCHOR_MS, LOG_DUE_MS } from '#schema/constants/log.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#schema/constants/time.ts';
import {
  addCheckpoint,
  createAnchorKey,
  fundAnchors,
  listMemos,
  readAnchors,
  rootOf,
} from '#test/payments/anchors.ts';
import { PUBLISHED_CHECKPOINT } from './sequencer.service.ts';
import { query } from '#test/database/database.ts';
import { interceptSolana } from '#test/payments/intercept-solana.ts';
import { appendEvents, eventOf } from '#test/log.ts';
import { control, createTestApp, testEnv, type TestApp } from '#test/test-app.ts';

const ORIGIN = testEnv.LOG_ORIGIN;
let app: TestApp;
let bindings: { LOG_ANCHOR_KEY: string };
let alarms: { kind: string }[];

beforeEach(async () => {
  alarms = [];
  vi.spyOn(console, 'error').mockImplementation((line: string) => {
    const event = JSON.parse(line) as { event: string; kind: string };
    if (event.event === 'alarm') alarms.push(event);
  });
  bindings = { LOG_ANCHOR_KEY: createAnchorKey() };
  app = await createTestApp({ bindings });
});

/** Runs the job if it is due. */
async function anchor() {
  const { due } = await app.services.jobs.readState(app.clock.now());
  return due.some(({ job }) => job === 'log.anchor') ? app.services.logAnchors.anchor() : null;
}
const fund = (sol = 1) => fundAnchors(app, { key: bindings.LOG_ANCHOR_KEY, sol });
/** Funds the wallet and waits until an anchor of the log with 8 entries is due. Returns the wallet's address. */
const prepare = async (sol?: number) => {
  const address = await fund(sol);
  await addCheckpoint(app, 8);
  await untilDue();
  return address;
};
const rows = () =>
  query<{ size: number; finalized_at: number | null; dead_at: number | null }>('SELECT * FROM log_anchors');
const untilDue = () => untilNext(LOG_ANCHOR_MS);

/** Runs the job each minute until the open anchor is finalized or dead. */
async function finish(): Promise<string[]> {
  const outcomes: string[] = [];
  while (outcomes.length < 10 && !['finalized', 'dead'].includes(outcomes.at(-1) ?? '')) {
    await app.advance(MINUTE_MS / 2);
    outcomes.push(String(await anchor()));
  }
  return outcomes;
}

it('the log’s newest root is anchored on the chain every five minutes, and listed when it is finalized', async () => {
  const address = await fund();
  await addCheckpoint(app, 3);
  await addCheckpoint(app, 8);
  expect(await anchor()).toBeNull();
  await untilDue();
  expect(await anchor()).toBe('sent');
  expect(await readAnchors()).toEqual([]);
  expect(await finish()).toContain('finalized');
  const [memo, ...others] = await listMemos(address);
  expect(others).toEqual([]);
  const text = `${ORIGIN} 8 ${rootOf(8)}`;
  expect(memo).toMatchObject({ err: null, memo: `[${text.length}] ${text}` });
  const { signature, blockTime = 0 } = memo ?? {};
  expect(await readAnchors()).toEqual([
    { size: 8, root: rootOf(8), signature, block_time: blockTime * SECOND_MS },
  ]);
});

it('the same root is anchored again every hour while the log has no new entries', async () => {
  const address = await fund();
  await untilNext(HOUR_MS);
  await addCheckpoint(app, 8);
  await untilDue();
  await anchor();
  await finish();
  const requested = interceptSolana();
  for (let hour = 0; hour < 2; hour++) {
    requested.length = 0;
    await app.advance(HOUR_MS - MINUTE_MS - (app.clock.now() % HOUR_MS));
    expect(await anchor()).toBeNull();
    expect(requested).toEqual([]);
    await untilNext(HOUR_MS);
    expect(await anchor()).toBe('sent');
    expect((await finish()).at(-1)).toBe('finalized');
    expect(await anchor()).toBeNull();
  }
  expect((await listMemos(address)).map(({ memo }) => memo?.split(' ')[2])).toEqual(['8', '8', '8']);
  expect((await readAnchors()).map(({ size }) => size)).toEqual([8, 8, 8]);
  expect(alarms).toEqual([]);
});

it('anchors are sent every five minutes while the log grows', async () => {
  const address = await fund();
  await untilNext(HOUR_MS);
  for (let minute = 0; minute < 13; minute++) {
    await addCheckpoint(app, minute + 1);
    await anchor();
    await untilNext(MINUTE_MS);
  }
  expect((await listMemos(address)).map(({ memo }) => memo?.split(' ')[2])).toEqual(['11', '6']);
  expect((await readAnchors()).map(({ size }) => size)).toEqual([11, 6]);
  expect(alarms).toEqual([]);
});

it('an anchor transaction is replaced if its blockhash expires before it lands', async () => {
  const address = await prepare();
  await control('POST', '/solana/load', { microLamports: 10_000_000 });
  expect(await anchor()).toBe('sent');
  expect((await finish()).at(-1)).toBe('dead');
  await control('DELETE', '/solana/load');
  expect(await anchor()).toBe('sent');
  expect((await finish()).at(-1)).toBe('finalized');
  expect(await listMemos(address)).toHaveLength(1);
  expect(await rows()).toMatchObject([
    { size: 8, finalized_at: null },
    { size: 8, dead_at: null },
  ]);
});

it('an anchor transaction is sent again after a fork has removed it', async () => {
  const address = await prepare();
  await anchor();
  await app.advance(1_000);
  const [memo] = await listMemos(address);
  await control('POST', '/solana/forget', { signature: memo?.signature });
  expect(await listMemos(address)).toEqual([]);
  expect(await finish()).toEqual(['sent', 'finalized']);
  expect((await listMemos(address))[0]?.signature).toBe(memo?.signature);
});

it('an expired anchor transaction stays pending while one RPC endpoint is down', async () => {
  await prepare();
  await control('POST', '/solana/load', { microLamports: 10_000_000 });
  await anchor();
  await control('POST', '/faults', { service: 'solana-fallback', status: 503 });
  await app.advance(3 * MINUTE_MS);
  expect(await anchor()).toBe('pending');
  await control('DELETE', '/faults');
  expect(await anchor()).toBe('dead');
});

it('only one of three simultaneous runs sends an anchor transaction', async () => {
  const address = await prepare();
  const others = await Promise.all([createTestApp({ bindings }), createTestApp({ bindings })]);
  const runs = await Promise.all([app, ...others].map((each) => each.services.logAnchors.anchor()));
  expect(runs.filter((outcome) => outcome !== null)).toEqual(['sent']);
  await finish();
  expect(await listMemos(address)).toHaveLength(1);
  expect(await rows()).toHaveLength(1);
});

it('the database rejects a second open anchor, and rejects changing or deleting a finalized anchor', async () => {
  const insert = (signature: string, size: number) =>
    query(
      `INSERT INTO log_anchors (signature, size, root, signed_bytes, last_valid_block_height, created_at)
       VALUES (?, ?, 'root', 'bytes', 1, 1)`,
      signature,
      size,
    );
  await insert('one', 8);
  await expect(insert('two', 9)).rejects.toThrow('UNIQUE');
  await query(
    `UPDATE log_anchors SET finalized_at = 2, block_time = 2, signed_bytes = NULL WHERE signature = 'one'`,
  );
  await expect(query(`UPDATE log_anchors SET dead_at = 3`)).rejects.toThrow('anchors only end');
  await expect(query(`UPDATE log_anchors SET root = 'other'`)).rejects.toThrow('anchors only end');
  await expect(query(`DELETE FROM log_anchors`)).rejects.toThrow('never deleted');
});

it('an alarm is raised daily if log entries have no anchor after fifteen minutes', async () => {
  await addCheckpoint(app, 8);
  await control('POST', '/faults', { service: 'solana', status: 503 });
  await app.advance(LOG_ANCHOR_LATE_MS);
  await expect(anchor()).rejects.toThrow();
  expect(alarms).toEqual([]);
  const run = async (after: number) => {
    await app.advance(after);
    await expect(anchor()).rejects.toThrow();
    return alarms.map(({ kind }) => kind);
  };
  expect(await run(MINUTE_MS)).toEqual(['log.not_anchored']);
  expect(await run(HOUR_MS)).toHaveLength(1);
  expect(await run(DAY_MS)).toEqual(['log.not_anchored', 'log.not_anchored']);
});

it('an alarm is raised daily while the database has fewer entries than the published log', async () => {
  await appendEvents(eventOf('call'));
  await app.services.logSequencer.sequence();
  await testEnv.BACKUPS.put(PUBLISHED_CHECKPOINT, `${ORIGIN}\n9\n${rootOf(9)}\n`);
  for (let run = 0; run < 3; run++) {
    await expect(app.services.logSequencer.sequence()).rejects.toThrow(
      'The log has 2 of 9 published entries',
    );
    await app.advance(DAY_MS / 2);
  }
  const details = { kind: 'log.contradiction', problem: 'The log has 2 of 9 published entries' };
  expect(alarms).toEqual([expect.objectContaining(details), expect.objectContaining(details)]);
});

it('one alarm is raised when a log entry has waited longer than two minutes for a checkpoint', async () => {
  const get = async () => Promise.reject(new Error('The bucket is away.'));
  const failing = await createTestApp({ bindings: { BACKUPS: { get } as unknown as R2Bucket } });
  const sequence = () => failing.services.logSequencer.sequence();
  await expect(sequence()).rejects.toThrow('away');
  const at = failing.clock.now();
  await appendEvents(eventOf('call', { at }));
  await failing.advance(LOG_DUE_MS);
  await expect(sequence()).rejects.toThrow('away');
  expect(alarms).toEqual([]);
  for (let run = 0; run < 3; run++) {
    await failing.advance(MINUTE_MS);
    await expect(sequence()).rejects.toThrow('away');
  }
  const since = new Date(at).toISOString();
  expect(alarms).toMatchObject([
    { kind: 'log.not_sequenced', since, error: expect.stringContaining('away') as string },
  ]);
});

it('an alarm is raised when the anchor wallet’s SOL lasts for less than about a month', async () => {
  const address = await prepare(0.14);
  expect(await anchor()).toBe('sent');
  expect(alarms).toEqual([expect.objectContaining({ kind: 'log.anchor_balance', address })]);
});

it('an empty anchor wallet raises an alarm, and no transaction is signed', async () => {
  await addCheckpoint(app, 8);
  await untilDue();
  expect(await anchor()).toBe('unfunded');
  expect(await rows()).toEqual([]);
  expect(alarms).toEqual([expect.objectContaining({ kind: 'log.anchor_balance', lamports: '0' })]);
});

async function untilNext(milliseconds: number): Promise<void> {
  await app.advance(milliseconds - (app.clock.now() % milliseconds));
}
