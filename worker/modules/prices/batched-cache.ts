import DataLoader from 'dataloader';
import { SECOND_MS, SHOWN_PRICE_WINDOW_MS } from '#schema/constants.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Lifetime } from '../../ports/lifetime.ts';

/** Keys requested within this time share one batch. */
const BATCH_DELAY_MS = 5;
/** A request waits this long for a fetch: longer than both price sources' timeouts added up. */
const MAX_WAIT_MS = 12 * SECOND_MS;
const MAX_REMEMBERED = 2_000;

export interface BatchedCacheOptions<Value> {
  /** Fetches up to `batchSize` keys. Keys without a value are left out. */
  readonly fetch: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>;
  readonly batchSize: number;
  readonly clock: Clock;
  readonly lifetime: Lifetime;
}

interface Fetch<Value> {
  /** Start of the window, in unix ms. */
  readonly window: number;
  readonly value: Promise<Value | undefined>;
}

/**
 * Fetches each key once per five-second window. Keys requested at the same time share one batch. Missing values are
 * cached, too. Requests wait for each other's fetches, even if the request that started a fetch is cancelled
 * (docs/decisions/022-price-sources.md).
 */
export function createBatchedCache<Value>({ fetch, batchSize, clock, lifetime }: BatchedCacheOptions<Value>) {
  const remembered = new Map<string, { window: number; value: Value | undefined }>();
  const running = new Map<string, Fetch<Value>>();
  const dispatches: (() => void)[] = [];

  const loader = new DataLoader<string, Value | undefined>(
    (keys) => {
      const fetched = fetch(keys).then((values) => keys.map((key) => values.get(key)));
      lifetime.keepAlive(fetched);
      return fetched;
    },
    { cache: false, maxBatchSize: batchSize, batchScheduleFn: (dispatch) => void dispatches.push(dispatch) },
  );
  const dispatchAll = () => {
    for (const dispatch of dispatches.splice(0)) dispatch();
  };

  const windowStart = () => Math.floor(clock.now() / SHOWN_PRICE_WINDOW_MS) * SHOWN_PRICE_WINDOW_MS;

  const forget = (key: string, each: Fetch<Value>) => {
    if (running.get(key) === each) running.delete(key);
  };

  const remember = async (key: string, each: Fetch<Value>) => {
    try {
      const value = await each.value;
      if (remembered.size >= MAX_REMEMBERED) remembered.clear();
      remembered.set(key, { window: each.window, value });
    } catch {
      // The waiting requests get the error. It is not cached.
    }
    forget(key, each);
  };

  const start = (key: string, window: number): Fetch<Value> => {
    const each: Fetch<Value> = { window, value: loader.load(key) };
    running.set(key, each);
    void remember(key, each);
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
    /** The start of the current window in unix ms. */
    windowStart,

    /**
     * The value of a key, fetched within the current window; `undefined` if it has none.
     * @throws what `fetch` throws
     */
    async get(key: string): Promise<Value | undefined> {
      const window = windowStart();
      const known = remembered.get(key);
      if (known?.window === window) return known.value;
      const current = running.get(key);
      const first = current?.window === window ? current : start(key, window);
      const outcome = await wait(first);
      if (outcome !== 'late') return outcome.value;
      forget(key, first);
      const second = await wait(running.get(key) ?? start(key, window));
      return second === 'late' ? (await fetch([key])).get(key) : second.value;
    },
  };
}
