import { beforeEach, describe, expect, inject, it } from 'vitest';
import { DAY_MS, HOUR_MS, MARK_DELAYS_MINUTES, MIN_RANKED_CALLS, MINUTE_MS } from '#schema/constants.ts';
import type { CallerListItem } from '#schema/contracts/callers.ts';
import { changePercent } from '#schema/rules/calls/change-percent.ts';
import { followerReturns, type Mark } from '#schema/rules/calls/follower-return.ts';
import {
  naiveCountedPpm,
  naiveMark,
  naiveMedian,
  naiveReturnPpm,
  type NaiveSighting,
} from '#schema/rules/calls/follower-return.test-model.ts';
import { createDatabase, runBatch } from '../../../shared/database.ts';
import { readResponse } from '../../../test-support/responses.ts';
import { query } from '../../../test-support/database/database.ts';
import { createRandom } from '../../../test-support/seeded-random.ts';
import { insertCallers, insertRows } from '../../../test-support/database/insert-rows.ts';
import { addDerivedRows } from '../../../test-support/derived-rows.ts';
import { createTestApp, testEnv, type TestApp } from '../../../test-support/test-app.ts';
import type { SeenPrice } from './request-sources.ts';
import { createDueMarks } from './due-marks.ts';
import { createPriceMarksRepository } from './price-marks.repository.ts';

const HISTORIES = inject('isDeep') ? 3_000 : 60;
const AT_ONCE = 30;
const { share, between, pick } = createRandom(12);

interface History {
  readonly callerId: string;
  readonly calls: readonly HistoryCall[];
}

interface HistoryCall {
  readonly id: string;
  readonly mint: string;
  readonly calledAt: number;
  readonly endedAt: number;
  readonly entryPrice: string;
  readonly endPrice: string;
  readonly isRanked: boolean;
  /** Every price that the product saw of the mint, in its order. */
  readonly sightings: NaiveSighting[];
}

const decimal = (value: number) => value.toFixed(18).replace(/\.?0+$/, '');
const randomPrice = (around: number) => decimal((around * between(50, 200)) / 100 + 1e-12);
const randomLiquidity = () => pick([null, 0, between(1, 5_000), between(10_000, 9_999_999), 123_456.78]);

/** `now` is unix ms. The calls end half a day later. */
function createHistory(now: number, name: string): History {
  const calls = Array.from({ length: pick([0, 1, 2, 3, 5, 8, 13]) }, (_, index): HistoryCall => {
    const entryPrice = decimal(between(1, 99_999) / 10 ** between(0, 9));
    return {
      id: `${name}-${share().toString(36).slice(2)}-${index}`,
      mint: `mint-${name}-${index}`,
      calledAt: now + between(0, MINUTE_MS),
      endedAt: now + DAY_MS / 2 + between(0, MINUTE_MS),
      entryPrice,
      endPrice: pick([entryPrice, randomPrice(Number(entryPrice)), randomPrice(Number(entryPrice))]),
      isRanked: share() < 0.85,
      sightings: [],
    };
  });
  return { callerId: `caller-${name}`, calls };
}

async function insertHistories(histories: readonly History[]): Promise<void> {
  await insertCallers(histories.map(({ callerId }) => callerId));
  await insertRows(
    'calls',
    histories.flatMap(({ callerId, calls }) =>
      calls.map((call) => ({
        id: call.id,
        caller_id: callerId,
        token_mint: call.mint,
        entry_price: call.entryPrice,
        called_at: call.calledAt,
        end_price: call.endPrice,
        ended_at: call.endedAt,
        change_percent: changePercent(call.entryPrice, call.endPrice),
        unranked_reason: call.isRanked ? null : 'micro_cap',
      })),
    ),
  );
  await addDerivedRows();
}

const SIDES = ['open', 'end'] as const;
/** Minutes after a call and after its end in which the refresh runs. Some runs come too late, and some are repeated. */
const RUNS = [1, 2, 3, 5, 5, 6, 7, 15, 16, 18, 60, 61, 62, 64];

/** Runs the refresh as the cron does. At each run, some mints have no price, and some prices are old. */
async function runRefreshes(now: number, calls: readonly HistoryCall[]): Promise<void> {
  const repository = createPriceMarksRepository(createDatabase(testEnv.DB));
  for (const start of [now, now + DAY_MS / 2]) {
    for (const minute of RUNS) {
      const at = start + minute * MINUTE_MS + between(0, 30_000);
      const due = createDueMarks({
        marks: repository,
        clock: { now: () => at, sleep: async () => undefined },
      });
      const isSourceDead = share() < 0.1;
      const seen = new Map<string, SeenPrice>();
      for (const call of calls) {
        if (isSourceDead || share() < 0.2) continue;
        const age = pick([0, 0, between(0, 60_000)]);
        const sighting = {
          price: randomPrice(Number(call.entryPrice)),
          liquidityUsd: randomLiquidity(),
          seenAt: at - age,
        };
        call.sightings.push(sighting);
        seen.set(call.mint, { ...sighting, source: 'jupiter', at: sighting.seenAt });
      }
      await due.update();
      await runBatch(createDatabase(testEnv.DB), [repository.record(due.taken(seen))]);
    }
  }
}

const markOf = ({ sightings, ...call }: HistoryCall, side: (typeof SIDES)[number], delay: number) =>
  naiveMark(sightings, (side === 'open' ? call.calledAt : call.endedAt) + delay * MINUTE_MS);

function expectedReturns(call: HistoryCall) {
  return MARK_DELAYS_MINUTES.map((delayMinutes) => ({
    delayMinutes,
    percents: [100, 1_000, 10_000].map((stakeUsd) => {
      const ppm = naiveReturnPpm(
        markOf(call, 'open', delayMinutes),
        markOf(call, 'end', delayMinutes),
        stakeUsd,
      );
      return ppm === null ? null : ppm / 10_000;
    }),
  }));
}

function expectedFigures({ calls }: History) {
  const counted = calls.flatMap((call) => {
    const ppm = naiveReturnPpm(markOf(call, 'open', 1), markOf(call, 'end', 1), 1_000);
    return ppm === null || !call.isRanked ? [] : [naiveCountedPpm(ppm, call)];
  });
  return {
    follower_calls: counted.length,
    follower_wins: counted.filter((ppm) => ppm > 0).length,
    follower_return: naiveMedian(counted) ?? -100,
  };
}

describe('the follower returns in the database', () => {
  it(`the follower returns in the database equal exact fractions for ${HISTORIES} random histories`, async () => {
    const app = await createTestApp();
    const begin = app.clock.now() - 10_000 * DAY_MS;
    let figures = 0;
    for (let from = 0; from < HISTORIES; from += AT_ONCE) {
      const now = begin + from * DAY_MS;
      const histories = Array.from({ length: AT_ONCE }, (_, index) => createHistory(now, `${from}-${index}`));
      await insertHistories(histories);
      const calls = histories.flatMap((history) => history.calls);
      await runRefreshes(now, calls);
      const ids = JSON.stringify(histories.map(({ callerId }) => callerId));
      const rows = await query<{ id: string }>(
        `SELECT caller_id AS id, follower_calls, follower_wins, follower_return
         FROM callers WHERE caller_id IN (SELECT value FROM json_each(?))`,
        ids,
      );
      const stored = new Map(rows.map(({ id, ...row }) => [id, row]));
      for (const history of histories) {
        expect(stored.get(history.callerId), history.callerId).toEqual(expectedFigures(history));
      }
      const marks = await query<Mark & { callId: string }>(
        `SELECT call_id AS callId, side, delay_minutes AS delayMinutes, price, liquidity_usd AS liquidityUsd
         FROM price_marks WHERE call_id IN (SELECT value FROM json_each(?))`,
        JSON.stringify(calls.map(({ id }) => id)),
      );
      const byCall = Map.groupBy(marks, ({ callId }) => callId);
      for (const call of calls) {
        const returns = followerReturns(byCall.get(call.id) ?? []);
        expect(returns, call.id).toEqual(expectedReturns(call));
        figures += returns.flatMap(({ percents }) => percents).filter((percent) => percent !== null).length;
      }
    }
    expect(figures).toBeGreaterThan(HISTORIES * 4);
    let repaired = 0;
    for (let checked = 0; checked < HISTORIES; checked += 2_000) {
      repaired += (await app.services.statisticsRepair.repair()) ?? 0;
    }
    const [{ wrong } = { wrong: -1 }] = await query<{ wrong: number }>(
      'SELECT COUNT(*) AS wrong FROM callers WHERE (follower_calls = 0) <> (follower_middle_call IS NULL)',
    );
    expect([wrong, repaired]).toEqual([0, 0]);
  }, 900_000);
});

describe('the median of a caller’s follower returns', () => {
  let app: TestApp;
  const insertReturns = (returns: readonly number[]) =>
    query(
      `INSERT INTO follower_returns (caller_id, return_ppm, call_id)
       SELECT 'caller-middle', value, 'call-' || key FROM json_each(?)`,
      JSON.stringify(returns),
    );
  const readFigures = async () => {
    const [row] = await query(
      `SELECT follower_calls, follower_wins, follower_middle_ppm, follower_middle_call, follower_return
       FROM callers WHERE caller_id = 'caller-middle'`,
    );
    return row;
  };

  beforeEach(async () => {
    app = await createTestApp();
    const call = (index: number): HistoryCall => ({
      id: `call-${index}`,
      mint: `mint-${index}`,
      calledAt: 1,
      endedAt: HOUR_MS,
      entryPrice: '1',
      endPrice: '1',
      isRanked: true,
      sightings: [],
    });
    await insertHistories([
      { callerId: 'caller-middle', calls: Array.from({ length: 400 }, (_, index) => call(index)) },
    ]);
    await app.services.statisticsRepair.repair();
  });

  it('the median of a caller’s follower returns is right after 400 returns, many of them equal', async () => {
    const returns = Array.from({ length: 400 }, () => between(-9, 9));
    await insertReturns(returns);
    expect(await readFigures()).toMatchObject({ follower_calls: 400, follower_return: naiveMedian(returns) });
    expect(await app.services.statisticsRepair.repair()).toBe(0);
  });

  it.each([
    ['follower_middle_ppm', 7],
    ['follower_middle_call', 'call-3'],
    ['follower_return', 99],
    ['follower_calls', 5],
    ['follower_wins', 0],
  ])('the statistics repair corrects a caller’s wrong %s', async (column, value) => {
    await insertReturns([10, 30, 20, -5]);
    const right = await readFigures();
    await query(`UPDATE callers SET ${column} = ? WHERE caller_id = 'caller-middle'`, value);
    expect(await readFigures()).not.toEqual(right);
    expect(await app.services.statisticsRepair.repair()).toBe(1);
    expect(await readFigures()).toEqual(right);
  });
});

describe('pumping a token for the marked minute', () => {
  const DEEP = 1_000_000;
  /** Nine calls at these changes in percent. A pumped one has 1,000 times its price a minute after its end. */
  async function medianWith(changes: readonly number[], pumped: readonly number[]): Promise<number | null> {
    const app = await createTestApp();
    const now = app.clock.now() - DAY_MS;
    const calls = changes.map((change, index) => ({
      id: `pump-${index}`,
      mint: `mint-${index}`,
      calledAt: now,
      endedAt: now + HOUR_MS,
      entryPrice: '1',
      endPrice: decimal(1 + change / 100),
      isRanked: true,
      sightings: [],
    }));
    await insertHistories([{ callerId: 'pumper', calls }]);
    const rows = calls.flatMap(({ id, endPrice }, index) =>
      SIDES.map((side) => ({
        callId: id,
        side,
        delayMinutes: 1,
        liquidityUsd: DEEP,
        source: 'jupiter',
        seenAt: now,
        ageMs: 0,
        price: side === 'open' ? '1' : decimal(Number(endPrice) * (pumped.includes(index) ? 1_000 : 1)),
      })),
    );
    const db = createDatabase(testEnv.DB);
    await runBatch(db, [createPriceMarksRepository(db).record(rows)]);
    const [caller] = await readResponse<CallerListItem[]>(app.request('/api/callers'));
    return caller?.followerReturn ?? null;
  }
  const CHANGES = [-40, -30, -20, -10, 0, 10, 20, 30, 40];
  const EVERY = CHANGES.map((_, index) => index);
  /** The median call ends where it began, so its followers lose the fees and the price impact. */
  const HONEST = -0.9933;

  it.each([
    ['no call', [], HONEST],
    ['a losing call, whose loss still counts', [0], HONEST],
    ['the four best calls, which stay above the median', [5, 6, 7, 8], HONEST],
    ['the four worst calls, which stay below the median', [0, 1, 2, 3], HONEST],
    ['the median call, which then counts as its own change', [4], 0],
    ['every call', EVERY, 0],
  ])(
    'the median follower return stays at or below that of the calls’ own changes after pumping %s',
    async (_, pumped, expected) => {
      expect(CHANGES.length).toBeGreaterThanOrEqual(MIN_RANKED_CALLS);
      expect(await medianWith(CHANGES, pumped)).toBe(expected);
    },
  );
});
