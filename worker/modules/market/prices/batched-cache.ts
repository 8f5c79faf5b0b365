import { SHOWN_PRICE_WINDOW_MS } from '#schema/constants/prices.ts';
import { SECOND_MS } from '#schema/constants/time.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Lifetime } from '../../../ports/lifetime.ts';

const BATCH_DELAY_MS = 5;
/** A request waits this long for a fetch. This is longer than the timeouts of both price sources together. */
const MAX_WAIT_MS = 12 * SECOND_MS;
const MAX_REMEMBERED = 2_000;

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

function createLoader<Key, Value>(
  options: Pick<BatchedCacheOptions<Key, Value>, 'fetch' | 'batchSize' | 'lifetime'>,
) {
  const { fetch, batchSize, lifetime } = options;
  const waiting: { key: Key; resolve: (value: Promise<Value | undefined>) => void }[] = [];
  return {
    load: (key: Key) =>
      new Promise<Value | undefined>((resolve) => {
        waiting.push({ key, resolve });
      }),
    dispatchAll() {
      while (waiting.length > 0) {
        const batch = waiting.splice(0, batchSize);
        const fetched = fetch(batch.map(({ key }) => key));
        lifetime.keepAlive(fetched);
        for (const [place, { resolve }] of batch.entries()) {
          resolve(fetched.then((values) => valueOf(values[place])));
        }
      }
    },
  };
}

function valueOf<Value>(fetched: Fetched<Value>): Value | undefined {
  if (fetched instanceof Error) throw fetched;
  return fetched;
}

interface Fetch<Value> {
  readonly window: number;
  readonly value: Promise<Value | undefined>;
}

/**
 * Fetches each key once per five-second window. Keys requested at the same time share one batch. Missing values are
 * cached, too. Requests wait for each other's fetches, even if the request that started a fetch is cancelled
 * (docs/decisions/022-price-sources.md).
 */
export function createBatchedCache<Key, Value>(options: BatchedCacheOptions<Key, Value>) {
  const { fetch, idOf, batchSize, clock, lifetime } = options;
  const remembered = new Map<string, { window: number; value: Value | undefined }>();
  const running = new Map<string, Fetch<Value>>();
  const { load, dispatchAll } = createLoader({ fetch, batchSize, lifetime });

  const forget = (id: string, each: Fetch<Value>) => {
    if (running.get(id) === each) running.delete(id);
  };

  const remember = async (id: string, each: Fetch<Value>) => {
    try {
      const value = await each.value;
      if (remembered.size >= MAX_REMEMBERED) remembered.clear();
      remembered.set(id, { window: each.window, value });
    } catch {
      // The waiting requests get the error. It is not cached.
    }
    forget(id, each);
  };

  const start = (key: Key, window: number): Fetch<Value> => {
    const each: Fetch<Value> = { window, value: load(key) };
    running.set(idOf(key), each);
    void remember(idOf(key), each);
    return each;
  };

  /** Returns 'late' after the longest wait, because a fetch may never end if its request is cancelled. */
  const wait = async ({ value }: Fetch<Value>): Promise<{ value: Value | undefined } | 'late'> => {
    // Every waiting request sets this timer, because the timer of a cancelled request never fires.
    const cancelDispatch = lifetime.after(BATCH_DELAY_MS, dispatchAll);
    const late = Promise.withResolvers<'late'>();
    const cancelTimeout = lifetime.after(MAX_WAIT_MS, () => late.resolve('late'));
    try {
      return await Promise.race([value.then((fetched) => ({ value: fetched })), late.promise]);
    } finally {
      cancelDispatch();
      cancelTimeout();
    }
  };

  return {
    /** The key's value in the current window; `undefined` if it has none. @throws the key's error from `fetch` */
    async get(key: Key): Promise<Value | undefined> {
      const id = idOf(key);
      const window = windowStart(clock.now());
      const known = remembered.get(id);
      if (known?.window === window) return known.value;
      const current = running.get(id);
      const first = current?.window === window ? current : start(key, window);
      const outcome = await wait(first);
      if (outcome !== 'late') return outcome.value;
      forget(id, first);
      const second = await wait(running.get(id) ?? start(key, window));
      if (second !== 'late') return second.value;
      const [alone] = await fetch([key]);
      return valueOf(alone);
    },
  };
}
