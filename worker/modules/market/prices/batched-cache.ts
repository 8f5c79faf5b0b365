import { SHOWN_PRICE_WINDOW_MS } from '#schema/constants/prices.ts';
import { SECOND_MS } from '#schema/constants/time.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Lifetime } from '../../../ports/lifetime.ts';
import { splitBatches } from '../../../shared/batches.ts';
import { mapConcurrently } from '../../../shared/concurrency.ts';
import { withTimeout } from '../../../shared/with-timeout.ts';

const TURN_MS = 10;
/** A request waits this long for a fetch. This is longer than the timeouts of both price sources together. */
const MAX_WAIT_MS = 12 * SECOND_MS;
/** About 3 MB. With more keys in a window, requests share fewer fetches. */
const MAX_REMEMBERED = 10_000;

export const windowStart = (at: number): number => at - (at % SHOWN_PRICE_WINDOW_MS);

type Fetched<Value> = Value | Error | undefined;

export interface BatchedCacheOptions<Key, Value> {
  /**
   * Fetches up to `batchSize` keys. Returns one result per key, in the same order. The result is `undefined` if
   * the key has no value, and an Error if its fetch failed.
   */
  readonly fetch: (keys: readonly Key[]) => Promise<readonly Fetched<Value>[]>;
  readonly idOf: (key: Key) => string;
  readonly batchSize: number;
  readonly clock: Clock;
  readonly lifetime: Lifetime;
}

function valueOf<Value>(fetched: Fetched<Value>): Value | undefined {
  if (fetched instanceof Error) throw fetched;
  return fetched;
}

interface Fetch<Key, Value> {
  readonly key: Key;
  readonly window: number;
  outcome?: { readonly value: Fetched<Value> };
}

/**
 * Fetches each key once per five-second window. Keys requested at the same time share one batch. Missing values are
 * cached, too. Requests share what was fetched and never a promise: workerd drops the continuations of a promise whose
 * request was cancelled (docs/decisions/022-price-sources.md).
 */
export function createBatchedCache<Key, Value>(options: BatchedCacheOptions<Key, Value>) {
  const { idOf, batchSize, clock, lifetime } = options;
  const fetches = new Map<string, Fetch<Key, Value>>();
  let waiting: Fetch<Key, Value>[] = [];

  const fill = async (batch: readonly Fetch<Key, Value>[]) => {
    const values = await options
      .fetch(batch.map(({ key }) => key))
      .catch((error: Error) => batch.map(() => error));
    for (const [place, each] of batch.entries()) {
      const value = values[place];
      each.outcome = { value };
      // The waiting requests get the error. It is not cached.
      if (value instanceof Error) forget(each);
    }
  };

  const dispatchAll = () => {
    const due = waiting;
    waiting = [];
    if (due.length > 0) lifetime.keepAlive(mapConcurrently(splitBatches(due, batchSize), fill));
  };

  const forget = (each: Fetch<Key, Value>) => {
    const id = idOf(each.key);
    if (fetches.get(id) === each) fetches.delete(id);
  };

  const findOrStart = (key: Key, window: number): Fetch<Key, Value> => {
    const current = fetches.get(idOf(key));
    if (current?.window === window) return current;
    if (fetches.size >= MAX_REMEMBERED) fetches.clear();
    const started = { key, window };
    fetches.set(idOf(key), started);
    waiting.push(started);
    return started;
  };

  /** Gives up after the longest wait: a fetch may never end if its request is cancelled. */
  const wait = async (all: readonly Fetch<Key, Value>[]) => {
    for (let waited = 0; waited < MAX_WAIT_MS && all.some(({ outcome }) => !outcome); waited += TURN_MS) {
      await lifetime.pause(TURN_MS);
      // The request that started the fetch may be gone, so each waiting one can send the batch.
      dispatchAll();
    }
    for (const each of all) if (!each.outcome) forget(each);
  };

  return {
    /** The key's value in the current window; `undefined` if it has none. @throws the key's error from `fetch` */
    async get(key: Key): Promise<Value | undefined> {
      const window = windowStart(clock.now());
      for (let attempt = 0; attempt < 2; attempt += 1) {
        const started = findOrStart(key, window);
        await wait([started]);
        if (started.outcome) return valueOf(started.outcome.value);
      }
      const [alone] = await options.fetch([key]);
      return valueOf(alone);
    },

    /** The keys' values that are there within `waitMs`, in the same order. One timer waits for all keys. Never throws. */
    async getSoon(keys: readonly Key[], waitMs: number): Promise<(Value | undefined)[]> {
      const window = windowStart(clock.now());
      const all = keys.map((key) => findOrStart(key, window));
      await withTimeout(wait(all), waitMs).catch(() => undefined);
      return all.map(({ outcome }) => (outcome?.value instanceof Error ? undefined : outcome?.value));
    },
  };
}
