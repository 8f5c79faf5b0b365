import { expect, it } from 'vitest';
import { SHOWN_PRICE_WINDOW_MS } from '#schema/constants/prices.ts';
import type { Lifetime } from '../../../ports/lifetime.ts';
import { createBatchedCache } from './batched-cache.ts';

/** A request lifetime whose timers fire only when the test calls `endBatchDelay` or `endLongestWait`. */
function createRequests() {
  let timers: (() => void)[] = [];
  const keepAlives: Promise<unknown>[] = [];
  const lifetime: Lifetime = {
    keepAlive: (work) => void keepAlives.push(work.catch(() => undefined)),
    pause: () => new Promise((resolve) => void timers.push(resolve)),
  };
  const endTurn = async () => {
    const due = timers;
    timers = [];
    for (const call of due) call();
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  };
  const endTurns = async (count: number) => {
    for (let turn = 0; turn < count; turn++) await endTurn();
  };
  return {
    lifetime,
    keepAlives,
    /** The first turn sends the batch. In the second, the waiting requests see what it fetched. */
    endBatchDelay: () => endTurns(2),
    endLongestWait: () => endTurns(1_200),
    /** Cancels the request and its timers. */
    cancelRequest: () => void (timers = []),
    waiting: () => timers.length,
  };
}

function createTestCache({ batchSize = 50 } = {}) {
  const requests = createRequests();
  const batches: string[][] = [];
  let now = Date.UTC(2026, 5, 1) + 1;
  let response = async (keys: readonly string[]): Promise<ReadonlyMap<string, string>> =>
    new Map(keys.filter((key) => key !== 'unknown').map((key) => [key, `${key} in batch ${batches.length}`]));
  const cache = createBatchedCache({
    fetch: async (keys: readonly string[]) => {
      batches.push([...keys]);
      const values = await response(keys);
      return keys.map((key) => values.get(key));
    },
    idOf: (key) => key,
    batchSize,
    clock: { now: () => now, sleep: () => Promise.reject(new Error('Unexpected sleep')) },
    lifetime: requests.lifetime,
  });
  return {
    ...requests,
    cache,
    batches,
    advance: (milliseconds: number) => void (now += milliseconds),
    respondBy: (next: typeof response) => void (response = next),
  };
}

it('the batched cache fetches each key once per window, even for simultaneous requests and missing values', async () => {
  const { cache, batches, endBatchDelay, waiting } = createTestCache();
  const wanted = ['a', 'b', 'a', 'unknown', 'a', 'unknown'].map((key) => cache.get(key));
  await endBatchDelay();
  expect(await Promise.all(wanted)).toEqual([
    'a in batch 1',
    'b in batch 1',
    'a in batch 1',
    undefined,
    'a in batch 1',
    undefined,
  ]);
  expect([await cache.get('a'), await cache.get('unknown')]).toEqual(['a in batch 1', undefined]);
  expect(batches).toEqual([['a', 'b', 'unknown']]);
  expect(waiting()).toBe(0);
});

it('the batched cache fetches again in the next window', async () => {
  const { cache, batches, endBatchDelay, advance } = createTestCache();
  const first = cache.get('a');
  await endBatchDelay();
  await first;
  advance(SHOWN_PRICE_WINDOW_MS - 2);
  await cache.get('a');
  expect(batches).toHaveLength(1);
  advance(1);
  const second = cache.get('a');
  await endBatchDelay();
  expect(await second).toBe('a in batch 2');
});

it('the batched cache splits keys into batches', async () => {
  const { cache, batches, endBatchDelay } = createTestCache({ batchSize: 3 });
  const wanted = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((key) => cache.get(key));
  await endBatchDelay();
  await Promise.all(wanted);
  expect(batches).toEqual([['a', 'b', 'c'], ['d', 'e', 'f'], ['g']]);
});

it('the batched cache passes a failure to all waiting requests and fetches again for the next request', async () => {
  const { cache, batches, endBatchDelay, respondBy, keepAlives } = createTestCache();
  respondBy(() => Promise.reject(new Error('down')));
  const wanted = Promise.allSettled([cache.get('a'), cache.get('a')]);
  await endBatchDelay();
  expect((await wanted).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  respondBy((keys) => Promise.resolve(new Map(keys.map((key) => [key, 'back']))));
  const next = cache.get('a');
  await endBatchDelay();
  expect(await next).toBe('back');
  expect(batches).toHaveLength(2);
  await Promise.all(keepAlives);
});

it('the batched cache sends a batch even if the request that started it is cancelled', async () => {
  const { cache, batches, endBatchDelay, cancelRequest } = createTestCache();
  void cache.get('a');
  cancelRequest();
  const other = cache.get('a');
  const another = cache.get('b');
  await endBatchDelay();
  expect([await other, await another]).toEqual(['a in batch 1', 'b in batch 1']);
  expect(batches).toEqual([['a', 'b']]);
});

it('the batched cache fetches a second time for all waiting requests if the first fetch never ends', async () => {
  const { cache, batches, endBatchDelay, endLongestWait, respondBy } = createTestCache();
  respondBy(() => new Promise(() => undefined));
  const wanted = [cache.get('a'), cache.get('a'), cache.get('a')];
  await endBatchDelay();
  respondBy((keys) => Promise.resolve(new Map(keys.map((key) => [key, 'at last']))));
  await endLongestWait();
  await endBatchDelay();
  expect(await Promise.all(wanted)).toEqual(['at last', 'at last', 'at last']);
  expect(batches).toEqual([['a'], ['a']]);
});

it('the batched cache fetches separately for a request after its second timeout', async () => {
  const { cache, batches, endBatchDelay, endLongestWait, respondBy } = createTestCache();
  respondBy(() => new Promise(() => undefined));
  const wanted = cache.get('a');
  await endBatchDelay();
  await endLongestWait();
  await endBatchDelay();
  respondBy((keys) => Promise.resolve(new Map(keys.map((key) => [key, 'alone']))));
  await endLongestWait();
  expect(await wanted).toBe('alone');
  expect(batches).toHaveLength(3);
});

it('the batched cache passes each fetch to keepAlive, so that it may outlive the request', async () => {
  const { cache, endBatchDelay, keepAlives } = createTestCache();
  const wanted = cache.get('a');
  await endBatchDelay();
  expect(keepAlives).toHaveLength(1);
  await wanted;
});
