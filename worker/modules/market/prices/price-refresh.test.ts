import { beforeEach, describe, expect, inject, it } from 'vitest';
import {
  CLOSE_INTERVAL_MS,
  PRICE_BATCH_SIZE,
  MAX_QUOTE_AGE_MS,
  PRICE_SHARDS,
} from '#schema/constants/prices.ts';
import { MINUTE_MS, SECOND_MS } from '#schema/constants/time.ts';
import { JOB_LEASE_MS } from '#worker/shared/job-leases.ts';
import { shardOf } from '#schema/rules/prices/price-shards.ts';
import { createDatabase } from '../../../shared/database.ts';
import { createJobLeases, LeaseLostError } from '../../../shared/job-leases.ts';
import { SourceBackoffError, type PriceSource } from '../../../ports/price-source.ts';
import { insertActiveCalls, mintOf } from '#test/people/active-calls.ts';
import { countRows } from '#test/database/count-rows.ts';
import { query, readDatabase } from '#test/database/database.ts';
import { insertRows } from '#test/database/insert-rows.ts';
import { testEnv } from '#test/test-app.ts';
import { createActiveMintsRepository } from './active-mints.repository.ts';
import {
  createPriceRefreshService,
  MAX_CALLS_AT_ONCE,
  MAX_FAILURES_IN_A_ROW,
  RUN_MS,
} from './price-refresh.service.ts';
import { groupByShard, MAX_CONFIRMATION_GAP_MS, type Shard } from './price-shards.ts';
import { createPriceShardsRepository } from './price-shards.repository.ts';
import { createPriceStore } from './price-store.ts';
import { MINTS_PER_BATCH } from './shard-writer.ts';

/** 20 seconds after the start of a close interval. */
const START = 1_800_000_000_000 + 20 * SECOND_MS;
/** In the deep tests, almost as many as one run may price. */
const MINTS = inject('isDeep') ? 7_000 : 1_000;
const SLOT = 1_000_000;
const SLOT_MS = 250;
const CALLS = MINTS / PRICE_BATCH_SIZE;
/** At this interval, all requests take longer than a run may. */
const SLOW_INTERVAL_MS = (800 * SECOND_MS) / CALLS;

let now: number;
let market: (mint: string) => string | null;
/** The slot in which the sources saw the price of a mint. */
let blockOf: (mint: string) => number | null;
let puts: string[];
/** Runs before every KV write. */
let beforePut: (key: string) => Promise<void>;
/** The chain's slot at START; null if the chain is down. */
let slot: number | null;
let database: D1Database;
/** Runs while a refresh waits. */
let afterSleep: () => Promise<void>;

const clock = {
  now: () => now,
  sleep: async (milliseconds: number) => {
    now += milliseconds;
    await afterSleep();
  },
};

interface TestSource extends PriceSource {
  /** The mints of each request that was accepted. */
  readonly requests: (readonly string[])[];
  readonly countRefused: () => number;
}

/**
 * A source that accepts one request per `intervalMs`. `response` gets the number of the request, from 1, and
 * may delay it or make it fail.
 */
function createSource({
  name = 'jupiter',
  intervalMs = 0,
  priceOf = (mint) => market(mint),
  seenIn = (mint) => blockOf(mint),
  response = () => Promise.resolve(),
}: {
  name?: string;
  priceOf?: (mint: string) => string | null;
  seenIn?: (mint: string) => number | null;
  intervalMs?: number;
  response?: (call: number, mints: readonly string[]) => Promise<unknown>;
} = {}): TestSource {
  const requests: (readonly string[])[] = [];
  let freeAt = 0;
  let refused = 0;
  return {
    name,
    statesUnits: true,
    requests,
    countRefused: () => refused,
    quote: () => Promise.reject(new Error('Unexpected request')),
    tokens: () => Promise.reject(new Error('Unexpected request')),
    search: () => Promise.reject(new Error('Unexpected request')),
    async prices(mints) {
      if (now < freeAt) {
        refused++;
        throw new SourceBackoffError({ source: name, retryAt: freeAt, isFailing: false });
      }
      expect(mints.length).toBeLessThanOrEqual(PRICE_BATCH_SIZE);
      freeAt = now + intervalMs;
      requests.push(mints);
      await response(requests.length, mints);
      return new Map(
        mints.flatMap((mint) => {
          const price = priceOf(mint);
          return price === null
            ? []
            : [[mint, { price, multiplier: null, blockId: seenIn(mint), liquidityUsd: null }] as const];
        }),
      );
    },
  };
}

const createStore = (kv: KVNamespace = testEnv.PRICES) =>
  createPriceStore({ kv, shards: createPriceShardsRepository(createDatabase(testEnv.DB)) });

const countingKv = new Proxy(testEnv.PRICES, {
  get: (kv, property) =>
    property === 'put'
      ? async (key: string, value: string) => {
          await beforePut(key);
          puts.push(key);
          await kv.put(key, value);
        }
      : (...args: unknown[]) => Reflect.apply(Reflect.get(kv, property) as () => unknown, kv, args),
});

/** Runs the job once with a new service, as in another isolate. */
function refresh(...sources: PriceSource[]) {
  const db = createDatabase(database);
  return createPriceRefreshService({
    sources,
    activeMints: createActiveMintsRepository(db),
    store: createStore(countingKv),
    db,
    leases: createJobLeases({ db, clock }),
    readSlot: () =>
      Promise.resolve(
        slot === null ? null : { slot: slot + (now - START) / SLOT_MS, at: now, slotMs: SLOT_MS },
      ),
    clock,
  }).refresh();
}

const readStored = (mints: readonly string[]) => createStore().read(mints);
const countCloses = async () =>
  (await query<{ count: number }>('SELECT COUNT(*) AS count FROM price_closes'))[0]?.count;
const cursor = async () =>
  (await query<{ cursor: string | null }>("SELECT cursor FROM job_leases WHERE job = 'prices.refresh'"))[0]
    ?.cursor;
const sum = (...numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
/**
 * The maximum number of requests that are repeated after a run has died: the requests of one shard, and those
 * that were in progress.
 */
const maxRepeats = (mints: readonly string[]) =>
  Math.ceil(Math.max(...[...groupByShard(mints).values()].map(({ length }) => length)) / PRICE_BATCH_SIZE) +
  MAX_CALLS_AT_ONCE;

beforeEach(() => {
  now = START;
  database = testEnv.DB;
  market = () => '2';
  blockOf = () => null;
  slot = SLOT;
  puts = [];
  beforePut = () => Promise.resolve();
  afterSleep = () => Promise.resolve();
});

describe('with active calls of many mints', () => {
  let mints: string[];
  const intervalMs = 500;
  const expectAllPriced = async (price = '2') => {
    const stored = await readStored(mints);
    expect(mints.filter((mint) => stored.get(mint)?.price !== price)).toEqual([]);
  };

  beforeEach(async () => {
    mints = await insertActiveCalls({ count: MINTS, calledAt: START - MINUTE_MS });
  });

  it('refreshing many mints sends one request per fifty mints, and writes only changed prices', async () => {
    const source = createSource({ intervalMs });
    const first = await refresh(source);
    expect(first).toEqual({
      mints: MINTS,
      batches: CALLS,
      failedBatches: 0,
      priced: MINTS,
      writes: PRICE_SHARDS,
      closes: MINTS,
      peaks: 0,
      isFinished: true,
    });
    expect(source.requests).toHaveLength(CALLS);
    // Every refusal is a request to the shared budget, too, and a run may make 1,000 requests.
    expect(source.countRefused()).toBeLessThanOrEqual(2 * CALLS);
    expect(new Set(source.requests.flat()).size).toBe(MINTS);
    expect(now - START).toBeLessThanOrEqual(1.1 * CALLS * intervalMs);
    expect(puts).toHaveLength(PRICE_SHARDS);
    await expectAllPriced();

    // In the next interval, closing prices are due, but unchanged prices aren't stored again.
    now = START + CLOSE_INTERVAL_MS;
    puts = [];
    const second = await refresh(source);
    expect(second).toEqual({ ...first, writes: 0, closes: 0, peaks: MINTS });
    expect(source.requests).toHaveLength(2 * CALLS);
    expect(puts).toEqual([]);
    expect(await countCloses()).toBe(MINTS);
    // Unchanged prices get the time of the last run.
    expect(
      [...(await readStored(mints)).values()].filter(({ at }) => at < START + CLOSE_INTERVAL_MS),
    ).toEqual([]);

    // Only one price changes, so only its shard is written.
    market = (mint) => (mint === mints[77] ? '3' : '2');
    expect(await refresh(source)).toMatchObject({ writes: 1, peaks: 0 });
    expect((await readStored([mints[77] ?? ''])).get(mints[77] ?? '')?.price).toBe('3');
  });

  it('the next run finishes the refresh of many mints if a run dies, and the dead run can no longer write', async () => {
    const gate = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    const dying = createSource({
      intervalMs,
      response: (call) => {
        if (call !== CALLS / 2) return Promise.resolve();
        reached.resolve();
        return gate.promise;
      },
    });
    const dead = refresh(dying);
    await reached.promise;
    const half = await cursor();
    expect(Number(half)).toBeGreaterThan(0);

    // No other run can start before the lease expires.
    const next = createSource({ intervalMs });
    expect(await refresh(next)).toBeNull();
    now += JOB_LEASE_MS;
    market = () => '2.5';
    const report = await refresh(next);
    expect(report).toMatchObject({ isFinished: true });
    expect(await cursor()).toBeNull();
    expect(sum(dying.requests.length, next.requests.length)).toBeLessThanOrEqual(CALLS + maxRepeats(mints));
    expect(puts.toSorted()).toEqual([...new Set(puts)].toSorted());
    expect(puts).toHaveLength(PRICE_SHARDS);
    const stored = await readStored(mints);
    expect(mints.filter((mint) => !stored.has(mint))).toEqual([]);
    // The next run fetched the mints after the cursor, at the new price.
    const after = [...groupByShard(mints)].flatMap(([shard, members]) =>
      shard >= Number(half) ? members : [],
    );
    expect(after.filter((mint) => stored.get(mint)?.price !== '2.5')).toEqual([]);

    const before = await readDatabase();
    const callsBefore = dying.requests.length;
    market = () => '9';
    gate.resolve();
    await expect(dead).rejects.toThrow(LeaseLostError);
    expect(dying.requests).toHaveLength(callsBefore);
    expect(puts).toHaveLength(PRICE_SHARDS);
    expect(await readDatabase()).toEqual(before);
  });

  it('the next run finishes the refresh of many mints if KV fails halfway', async () => {
    beforePut = () =>
      puts.length < PRICE_SHARDS / 2 ? Promise.resolve() : Promise.reject(new Error('KV is down'));
    const source = createSource({ intervalMs });
    await expect(refresh(source)).rejects.toThrow('KV is down');
    expect(puts).toHaveLength(PRICE_SHARDS / 2);
    expect(await cursor()).toBe(String(PRICE_SHARDS / 2));
    beforePut = () => Promise.resolve();
    now += SECOND_MS;
    expect(await refresh(source)).toMatchObject({ isFinished: true, writes: PRICE_SHARDS / 2 });
    expect(source.requests.length).toBeLessThanOrEqual(CALLS + maxRepeats(mints));
    await expectAllPriced();
  });

  it('refreshing many mints from a slow source takes two runs, and the second continues where the first stopped', async () => {
    const source = createSource({ intervalMs: SLOW_INTERVAL_MS });
    const first = await refresh(source);
    expect(first?.isFinished).toBe(false);
    expect(now - START).toBeLessThanOrEqual(RUN_MS);
    const priced = first?.priced ?? 0;
    expect(priced).toBeGreaterThan(MINTS / 2);
    now += SLOW_INTERVAL_MS;
    const second = await refresh(source);
    expect(second).toMatchObject({ isFinished: true, priced: MINTS - priced, mints: MINTS - priced });
    expect(source.requests.length).toBeLessThanOrEqual(CALLS + maxRepeats(mints));
    await expectAllPriced();
  });
});

it('a price refresh reads the calls of a limited number of mints per statement', async () => {
  await insertActiveCalls({ count: 10_000, calledAt: START - MINUTE_MS });
  const read: number[] = [];
  database = countRows(testEnv.DB, ({ sql, rows }) => {
    if (/ calls |FROM calls/.test(sql)) read.push(rows);
  });
  for (const price of ['2', '3', '4']) {
    market = () => price;
    await refresh(createSource());
    now += CLOSE_INTERVAL_MS;
  }
  expect(read.length).toBeGreaterThan(3 * PRICE_SHARDS);
  expect(Math.max(...read)).toBeLessThanOrEqual(8 * MINTS_PER_BATCH);
});

describe('with 500 active calls', () => {
  const COUNT = 500;
  let mints: string[];

  beforeEach(async () => {
    mints = await insertActiveCalls({ count: COUNT, calledAt: START - MINUTE_MS });
  });

  it('a price refresh uses the next source while the first is down or its circuit breaker is open', async () => {
    let hasFailed = false;
    const down = createSource({
      response: () => {
        if (hasFailed) {
          return Promise.reject(
            new SourceBackoffError({ source: 'jupiter', retryAt: now + MINUTE_MS, isFailing: true }),
          );
        }
        hasFailed = true;
        return Promise.reject(new Error('503'));
      },
    });
    const other = createSource({ name: 'dexscreener' });
    expect(await refresh(down, other)).toMatchObject({ priced: COUNT, failedBatches: 0, isFinished: true });
    expect(other.requests).toHaveLength(COUNT / PRICE_BATCH_SIZE);
    expect([...(await readStored(mints)).values()].every(({ source }) => source === 'dexscreener')).toBe(
      true,
    );
    expect(now).toBe(START);
  });

  it('a price refresh waits for a rate-limited source instead of using the next source', async () => {
    const source = createSource({ intervalMs: 2 * JOB_LEASE_MS });
    const other = createSource({ name: 'dexscreener' });
    // No other run can start while this one waits.
    afterSleep = async () => expect(await refresh(other)).toBeNull();
    expect(await refresh(source, other)).toMatchObject({ priced: COUNT, isFinished: true });
    expect(other.requests).toEqual([]);
    expect(now - START).toBe((COUNT / PRICE_BATCH_SIZE - 1) * 2 * JOB_LEASE_MS);
  });

  it('a price refresh changes nothing and throws if all sources are down', async () => {
    await refresh(createSource());
    const before = await readDatabase();
    puts = [];
    now += MINUTE_MS;
    const down = createSource({ response: () => Promise.reject(new Error('jupiter answered 503')) });
    await expect(refresh(down)).rejects.toThrow('No price source responded: Error: jupiter answered 503');
    expect(down.requests).toHaveLength(MAX_FAILURES_IN_A_ROW);
    expect(puts).toEqual([]);
    expect(await readDatabase()).toEqual(before);
    expect([...(await readStored(mints)).values()].every(({ at }) => at === START)).toBe(true);
  });

  it('a price refresh requests only missing and stale prices from the second source', async () => {
    const [missing = '', old = '', unpriced = ''] = mints;
    blockOf = (mint) => (mint === old ? SLOT - MAX_QUOTE_AGE_MS / SLOT_MS - 1 : null);
    const first = createSource({ priceOf: (mint) => (mint === missing || mint === unpriced ? null : '2') });
    const second = createSource({
      name: 'dexscreener',
      priceOf: (mint) => (mint === unpriced ? null : '3'),
      seenIn: () => null,
    });
    expect(await refresh(first, second)).toMatchObject({
      priced: COUNT - 1,
      failedBatches: 0,
      batches: COUNT / PRICE_BATCH_SIZE,
    });
    expect(first.requests).toHaveLength(COUNT / PRICE_BATCH_SIZE);
    const stored = await readStored(mints);
    const fromSecond = { price: '3', at: START, source: 'dexscreener' };
    expect([stored.get(missing), stored.get(old), stored.get(unpriced)]).toEqual([
      fromSecond,
      fromSecond,
      undefined,
    ]);
    expect([...stored.values()].filter(({ source }) => source === 'dexscreener')).toHaveLength(2);

    for (const error of [
      new Error('503'),
      new SourceBackoffError({ source: 'dexscreener', retryAt: now + MINUTE_MS, isFailing: false }),
    ]) {
      now += SECOND_MS;
      const away = createSource({ name: 'dexscreener', response: () => Promise.reject(error) });
      expect(await refresh(first, away)).toMatchObject({
        priced: COUNT - 3,
        failedBatches: 0,
        isFinished: true,
      });
      expect(away.requests.flat().toSorted()).toEqual([missing, old, unpriced].toSorted());
    }
    expect(now).toBe(START + 2 * SECOND_MS);
  });

  it('a price refresh updates the mints of the other batches if the source always fails for one mint', async () => {
    await refresh(createSource());
    const [failing = ''] = mints;
    now += MINUTE_MS;
    market = () => '3';
    const source = createSource({
      response: (_, batch) =>
        batch.includes(failing) ? Promise.reject(new Error('400')) : Promise.resolve(),
    });
    expect(await refresh(source)).toMatchObject({
      failedBatches: 1,
      priced: COUNT - PRICE_BATCH_SIZE,
      isFinished: true,
    });
    const stored = await readStored(mints);
    const left = source.requests.find((batch) => batch.includes(failing)) ?? [];
    expect(
      mints.filter((mint) => stored.get(mint)?.price === '3' && stored.get(mint)?.at === now),
    ).toHaveLength(COUNT - PRICE_BATCH_SIZE);
    // Mints without a new price keep their old price and its time.
    expect(left.map((mint) => stored.get(mint))).toEqual(
      left.map(() => ({ price: '2', at: START, source: 'jupiter' })),
    );
  });
});

describe('with 200 active calls', () => {
  const ALL = Array.from({ length: 200 }, (_, index) => mintOf(index));
  const MINT = mintOf(0);
  const NEIGHBOUR = ALL.find((mint) => mint !== MINT && shardOf(mint) === shardOf(MINT)) ?? '';
  const read = async () => (await readStored([MINT])).get(MINT);

  beforeEach(async () => {
    await insertActiveCalls({ count: ALL.length, calledAt: START - MINUTE_MS });
  });

  it('a stored price and its time stay the same after the source has lost the price', async () => {
    await refresh(createSource());
    now += MINUTE_MS;
    await refresh(createSource());
    const lastSeen = now;
    market = (mint) => (mint === MINT ? null : '2');
    const writes: (number | undefined)[] = [];
    for (let round = 0; round < 3; round++) {
      now += MINUTE_MS;
      writes.push((await refresh(createSource()))?.writes);
      expect(await read()).toEqual({ price: '2', at: lastSeen, source: 'jupiter' });
    }
    expect(writes).toEqual([1, 0, 0]);
    expect((await readStored([NEIGHBOUR])).get(NEIGHBOUR)?.at).toBe(now);
    market = () => '2';
    now += MINUTE_MS;
    expect((await refresh(createSource()))?.writes).toBe(1);
    expect(await read()).toEqual({ price: '2', at: now, source: 'jupiter' });
  });

  it('a stored price is not replaced by a source’s price that is over a minute old', async () => {
    await refresh(createSource());
    market = (mint) => (mint === MINT ? '9' : '2');
    blockOf = (mint) => (mint === MINT ? SLOT : null);
    now = START + CLOSE_INTERVAL_MS;
    expect(await refresh(createSource())).toMatchObject({ priced: ALL.length - 1, writes: 1, closes: 0 });
    expect(await read()).toEqual({ price: '2', at: START, source: 'jupiter' });
    now += SECOND_MS;
    expect(await refresh(createSource())).toMatchObject({ writes: 0, peaks: 0 });
    // A price that is exactly one minute old is accepted. While the chain is down, prices of any age are
    // accepted.
    blockOf = () => SLOT + (now - START - MAX_QUOTE_AGE_MS) / SLOT_MS;
    expect(await refresh(createSource())).toMatchObject({ priced: ALL.length, writes: 1 });
    expect(await read()).toEqual({ price: '9', at: now, source: 'jupiter' });
    blockOf = () => 1;
    slot = null;
    now += MINUTE_MS;
    expect(await refresh(createSource())).toMatchObject({ priced: ALL.length });
  });

  it('a stored price is removed after the only call of its mint has ended', async () => {
    await refresh(createSource());
    await query(
      'UPDATE calls SET ended_at = ?1, end_price = ?2, change_percent = 100 WHERE token_mint = ?3',
      now,
      '2',
      MINT,
    );
    await query('DELETE FROM active_mints WHERE mint = ?', MINT);
    now += MINUTE_MS;
    expect(await refresh(createSource())).toMatchObject({ mints: 199, priced: 199, writes: 1 });
    expect(await read()).toBeUndefined();
  });

  it('an outdated KV copy of a price is shown with its own time, and doesn’t mislead the next refresh', async () => {
    await refresh(createSource());
    const shard = `prices:${shardOf(MINT)}`;
    const old = (await testEnv.PRICES.get(shard)) ?? '';
    const stale = new Proxy(testEnv.PRICES, {
      get: (kv, property) =>
        property === 'get'
          ? (key: string) => (key === shard ? Promise.resolve(JSON.parse(old) as Shard) : kv.get(key, 'json'))
          : Reflect.get(kv, property),
    });
    market = (mint) => (mint === MINT ? '3' : '2');
    now += MINUTE_MS;
    await refresh(createSource());
    now += MINUTE_MS;
    await refresh(createSource());
    // The outdated KV copy has the price 2 of two minutes ago.
    expect((await createStore(stale).read([MINT])).get(MINT)).toEqual({
      price: '2',
      at: START,
      source: 'jupiter',
    });

    // The market price is 2 again. If the run compared it with the outdated copy, it would see no change, and
    // KV would keep 3.
    await testEnv.PRICES.put(shard, old);
    market = () => '2';
    now += MINUTE_MS;
    expect((await refresh(createSource()))?.writes).toBe(1);
    expect(await read()).toEqual({ price: '2', at: now, source: 'jupiter' });
  });
});

const peak = async (id = 'call-0') =>
  (await query('SELECT peak_price, peak_at FROM calls WHERE id = ?', id))[0];
const run = async (price: string) => {
  market = () => price;
  now += MINUTE_MS;
  return refresh(createSource());
};

it.each([
  ['the price if it is higher', '1', '2', { peak_price: '2', peak_at: START + 2 * MINUTE_MS }],
  ['the entry if the price is lower', '10', '9', { peak_price: '10', peak_at: START - MINUTE_MS }],
  [
    'the higher number, even if its text sorts first',
    '9',
    '10',
    { peak_price: '10', peak_at: START + 2 * MINUTE_MS },
  ],
  [
    'the higher of two tiny prices',
    '0.000000001',
    '0.0000000009',
    { peak_price: '0.000000001', peak_at: START - MINUTE_MS },
  ],
])('the peak of a call after two refreshes is %s', async (_, entryPrice, price, expected) => {
  await insertActiveCalls({ count: 1, callers: 1, entryPrice, calledAt: START - MINUTE_MS });
  await run(price);
  expect(await peak()).toEqual({ peak_price: null, peak_at: null });
  await run(price);
  expect(await peak()).toEqual(expected);
});

it('the peak of a call ignores a price that only one refresh has seen', async () => {
  await insertActiveCalls({ count: 1, callers: 1, calledAt: START - MINUTE_MS });
  for (const price of ['2', '2', '1000', '2', '9', '10']) await run(price);
  // The price 10, seen right after 9, confirms a peak of 9.
  expect(await peak()).toEqual({ peak_price: '9', peak_at: START + 6 * MINUTE_MS });
  market = () => null;
  now += MINUTE_MS;
  await refresh(createSource());
  // A price isn't confirmed after a refresh without a price, or after too long a gap.
  await run('50');
  now += MAX_CONFIRMATION_GAP_MS;
  await run('50');
  expect(await peak()).toMatchObject({ peak_price: '9' });
  await run('50');
  expect(await peak()).toMatchObject({ peak_price: '50', peak_at: now });
});

it('the peak of a call does not change after the call’s end, and ignores prices from before the call', async () => {
  const [mint] = await insertActiveCalls({ count: 2, callers: 2, calledAt: START - MINUTE_MS });
  for (const price of ['5', '5', '50']) await run(price);
  await query(
    "UPDATE calls SET ended_at = ?, end_price = '5', change_percent = 400 WHERE id = 'call-0'",
    now,
  );
  const call = { token_mint: mint ?? '', entry_price: '6' };
  // During the request, a second caller calls the same mint.
  market = () => '50';
  now += MINUTE_MS;
  const source = createSource({
    response: async () => {
      now += SECOND_MS;
      await insertRows('calls', [{ ...call, id: 'late', caller_id: 'user-1', called_at: now }]);
    },
  });
  await insertRows('calls', [{ ...call, id: 'early', caller_id: 'user-0', called_at: now }]);
  await refresh(source);
  expect(await peak()).toEqual({ peak_price: '5', peak_at: START + 2 * MINUTE_MS });
  expect(await peak('early')).toEqual({ peak_price: '50', peak_at: START + 4 * MINUTE_MS });
  expect(await peak('late')).toEqual({ peak_price: null, peak_at: null });
});

it('closing prices are stored once per interval, and only if they changed', async () => {
  const [MOVING = '', STILL = ''] = await insertActiveCalls({
    count: 2,
    callers: 1,
    calledAt: START - MINUTE_MS,
  });
  let price = 1;
  market = (mint) => (mint === STILL ? '1' : String(price));
  const closeTimes: number[] = [];
  for (let minute = 0; minute < 11; minute++) {
    price++;
    if (minute % 5 === 0) closeTimes.push(now);
    await refresh(createSource());
    now += MINUTE_MS;
  }
  expect(await query('SELECT at, price FROM price_closes WHERE mint = ? ORDER BY at', MOVING)).toEqual(
    closeTimes.map((at, index) => ({ at, price: String(2 + index * 5) })),
  );
  expect(await query('SELECT at, price FROM price_closes WHERE mint = ?', STILL)).toEqual([
    { at: START, price: '1' },
  ]);
});
