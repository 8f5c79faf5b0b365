import { beforeEach, expect, it, vi } from 'vitest';
import { LOG_ANCHOR_LATE_MS, LOG_UNANCHORED_MS } from '#schema/constants/log.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#schema/constants/time.ts';
import { naiveFigures, naiveSums } from '#schema/rules/calls/follower-return.test-model.ts';
import { countRows } from '#test/database/count-rows.ts';
import { query } from '#test/database/database.ts';
import { insertCallers, insertRows } from '#test/database/insert-rows.ts';
import { addDerivedRows } from '#test/derived-rows.ts';
import { appendEvents, endOf, eventOf } from '#test/log.ts';
import { createAnchorKey, fundAnchors } from '#test/payments/anchors.ts';
import { createCaller, endCall, makeCall, MINTS } from '#test/people/callers.ts';
import { control, createTestApp, testEnv, type TestApp } from '#test/test-app.ts';
import { createId } from '#worker/shared/ids.ts';

const CALLER = 'late_caller';
const CALLS = 24;
const key = createAnchorKey();
let app: TestApp;

beforeEach(async () => {
  app = await createTestApp({ bindings: { LOG_ANCHOR_KEY: key } });
  await insertCallers([CALLER]);
});

const flag = () => app.services.lateCalls.flag();
const lateIds = async () =>
  (await query<{ id: string }>('SELECT id FROM calls WHERE is_late = 1 ORDER BY id')).map(({ id }) => id);

interface Anchored {
  readonly size: number;
  /** Null while it isn't known whether the anchor landed. */
  readonly blockTime: number | null;
  readonly createdAt?: number;
}

const addAnchor = ({ size, blockTime, createdAt = blockTime ?? 0 }: Anchored) =>
  query(
    `INSERT INTO log_anchors
       (signature, size, root, signed_bytes, last_valid_block_height, created_at, finalized_at, block_time)
     VALUES (?1, ?2, '', iif(?4 IS NULL, 'bytes', NULL), 1, ?3, ?4, ?4)`,
    createId(),
    size,
    createdAt,
    blockTime,
  );

const copiedOf = (ppm: number) => ({ ppm: [ppm, ppm, -ppm], sol: 20_000 });

/** Inserts an ended call with a result, and its log entries. Returns the ids of the two entries. */
async function insertCall(id: string, calledAt: number, ppm = 100_000) {
  const endedAt = calledAt + HOUR_MS;
  const result = {
    follower_rule: 'marks',
    follower_ppm: ppm,
    sol_ppm: ppm,
    copied: JSON.stringify(copiedOf(ppm)),
    end_price: '2',
    change_percent: 100,
  };
  await insertRows('calls', [{ id, caller_id: CALLER, called_at: calledAt, ended_at: endedAt, ...result }]);
  const [opened = 0, ended = 0] = await appendEvents(
    eventOf(id, { callerId: CALLER, at: calledAt }),
    endOf(id, { callerId: CALLER, at: endedAt }),
  );
  return { calledAt, endedAt, opened, ended };
}

it('calls with a late opening or end are flagged as late, and their gains count as 0 in Proven', async () => {
  const late = { opening: 'call-03', end: 'call-05' };
  const records = [];
  for (let index = 0; index < CALLS; index++) {
    const id = `call-${String(index).padStart(2, '0')}`;
    const ppm = 100_000 + index * 10_000;
    const call = await insertCall(id, app.clock.now() - (CALLS - index) * DAY_MS, ppm);
    const wait = (isLate: boolean) => LOG_ANCHOR_LATE_MS + (isLate ? 1 : 0);
    await addAnchor({ size: call.opened, blockTime: call.calledAt + wait(id === late.opening) });
    await addAnchor({ size: call.ended, blockTime: call.endedAt + wait(id === late.end) });
    const { calledAt, endedAt } = call;
    const isLate = Object.values(late).includes(id);
    records.unshift({ mint: id, calledAt, endedAt, ppm, solPpm: ppm, copied: copiedOf(ppm), isLate });
  }
  await addDerivedRows();
  await app.services.statisticsRepair.repair();
  const proven = async () => (await query<{ proven: number }>('SELECT proven FROM callers'))[0]?.proven ?? 0;
  const sums = async () => {
    const [{ json } = { json: '' }] = await query<{ json: string }>(
      'SELECT copied_sums AS json FROM callers',
    );
    return JSON.parse(json) as object;
  };
  const sumsOf = ({ ppm, sol }: { ppm: number[]; sol: number }) => ({ ppm, sol });
  const inTime = records.map((record) => ({ ...record, isLate: false }));
  expect(await proven()).toBeCloseTo(naiveFigures(inTime, null).proven ?? 0, 9);
  expect(await sums()).toMatchObject(sumsOf(naiveSums(inTime, null)));
  expect(await flag()).toBe(2 * CALLS + 1);
  expect(await lateIds()).toEqual(Object.values(late));
  expect(await proven()).toBeCloseTo(naiveFigures(records, null).proven ?? 0, 9);
  expect(await sums()).toMatchObject(sumsOf(naiveSums(records, null)));
  expect(await app.services.statisticsRepair.repair()).toBe(0);
  expect(await flag()).toBe(0);
});

it('a call is flagged as late if one of its log entries has no anchor after twenty minutes', async () => {
  const { endedAt, opened, calledAt } = await insertCall('call', app.clock.now());
  await addAnchor({ size: opened, blockTime: calledAt });
  const advanceTo = (at: number) => app.advance(at - app.clock.now());
  await advanceTo(endedAt + LOG_UNANCHORED_MS);
  await flag();
  expect(await lateIds()).toEqual([]);
  await advanceTo(endedAt + LOG_UNANCHORED_MS + 1);
  await flag();
  expect(await lateIds()).toEqual(['call']);
});

it('a call whose anchor was sent in time is flagged as late only after the anchor has failed', async () => {
  const { calledAt, opened, endedAt, ended } = await insertCall('call', app.clock.now());
  await addAnchor({ size: opened, blockTime: calledAt });
  await addAnchor({ size: ended, blockTime: null, createdAt: endedAt + LOG_ANCHOR_LATE_MS });
  await app.advance(DAY_MS);
  await flag();
  expect(await lateIds()).toEqual([]);
  await query('UPDATE log_anchors SET dead_at = 1, signed_bytes = NULL WHERE block_time IS NULL');
  await flag();
  expect(await lateIds()).toEqual(['call']);
});

it('calls without an anchor are flagged as late even while an earlier anchor is unconfirmed', async () => {
  const { calledAt, opened } = await insertCall('earlier', app.clock.now());
  await addAnchor({ size: opened, blockTime: null, createdAt: calledAt });
  await insertCall('later', app.clock.now());
  await app.advance(DAY_MS);
  await flag();
  await flag();
  expect(await lateIds()).toEqual(['earlier', 'later']);
  await query('UPDATE log_anchors SET block_time = ?1, finalized_at = ?1, signed_bytes = NULL', calledAt);
  expect(await flag()).toBe(5);
});

it('after an RPC outage, only calls whose log entries were anchored too late are flagged as late', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  await fundAnchors(app, { key });
  const caller = await createCaller(app, 'caller');
  const early = await makeCall({ caller, mint: MINTS.WIF, price: 2 });
  const broken = await makeCall({ caller, mint: MINTS.JUP, price: 2 });
  const back = await makeCall({ caller, mint: MINTS.BONK, price: 2 });
  const pass = async (minutes: number) => {
    for (let minute = 0; minute < minutes; minute++) {
      await app.runJobs('log', 'calls');
      await app.advance(MINUTE_MS);
    }
  };
  await pass(10);
  await endCall({ caller, call: early, price: 3 });
  await pass(8);
  await endCall({ caller, call: broken, price: 3 });
  await control('POST', '/faults', { service: 'solana', status: 503 });
  await control('POST', '/faults', { service: 'solana-fallback', status: 503 });
  await pass(LOG_ANCHOR_LATE_MS / MINUTE_MS + 1);
  await control('DELETE', '/faults');
  expect(await lateIds()).toEqual([]);
  await pass(8);
  await endCall({ caller, call: back, price: 3 });
  await pass(10);
  expect(await lateIds()).toEqual([broken.id]);
});

it('the check for late calls reads only new log entries and their anchors', async () => {
  for (let index = 0; index < 60; index++) {
    const { ended, endedAt } = await insertCall(`call-${index}`, app.clock.now() - (60 - index) * DAY_MS);
    await addAnchor({ size: ended, blockTime: endedAt });
  }
  await flag();
  await insertCall('new', app.clock.now() - HOUR_MS);
  let read = 0;
  const DB = countRows(testEnv.DB, ({ sql, rows }) => (read += sql.includes('log_') ? rows : 0));
  await (await createTestApp({ bindings: { DB } })).services.lateCalls.flag();
  expect(read).toBeLessThan(10);
});
