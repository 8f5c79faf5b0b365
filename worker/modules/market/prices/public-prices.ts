import { LIVE_PRICE_WAIT_MS, PRICE_BATCH_SIZE, PUBLIC_PRICE_KEPT_MS } from '#schema/constants/prices.ts';
import { MINUTE_MS, SECOND_MS } from '#schema/constants/time.ts';
import type { ShownPrice, ShownPrices } from '#schema/contracts/prices.ts';
import { youngerPrice } from '#schema/rules/prices/price-age.ts';
import { readJson } from '#schema/rules/typed-json.ts';
import type { Base } from '../../../app/base.ts';
import { BULK } from '../../../ports/price-source.ts';
import { withTimeout } from '../../../shared/with-timeout.ts';
import { windowStart } from './batched-cache.ts';
import { showPrice, type PriceCacheOptions } from './price-cache.ts';
import { createPublicPricesRepository, type PublicMint } from './public-prices.repository.ts';
import { requestPrices } from './request-sources.ts';

/** Public prices get one of this many requests that our plan allows. */
const PLAN_PART = 15;
const BURST = 4;

export interface PublicPricesOptions extends PriceCacheOptions, Pick<Base, 'db' | 'attempts'> {
  readonly requestsPerSecond: number;
}

export type PublicPrices = ReturnType<typeof createPublicPrices>;

/** Stored prices of tokens with an ended call, refreshed while somebody looks at them (docs/decisions/022-price-sources.md). */
export function createPublicPrices({ db, attempts, clock, ...options }: PublicPricesOptions) {
  const repository = createPublicPricesRepository(db);
  const limit = { burst: BURST, everyMs: Math.ceil((PLAN_PART * SECOND_MS) / options.requestsPerSecond) };
  let nextBatchAt = 0;
  let counts = { until: 0, byNetwork: new Map<string, number>() };

  /** Each network's first mint has rank 0, so nobody gets ahead of others by requesting many. */
  const rank = (mints: readonly PublicMint[], network: string) => {
    if (counts.until <= clock.now()) counts = { until: clock.now() + MINUTE_MS, byNetwork: new Map() };
    const first = counts.byNetwork.get(network) ?? 0;
    counts.byNetwork.set(network, first + mints.length);
    return mints.flatMap(({ mint, queueRank }, index) =>
      first + index < (queueRank ?? Infinity) ? [[mint, first + index] as const] : [],
    );
  };

  const takeBatch = async (ranks: ReturnType<typeof rank>): Promise<string[]> => {
    const now = clock.now();
    const added = Object.fromEntries(ranks);
    if (now < nextBatchAt) return ranks.length === 0 ? [] : repository.takeBatch({ added, size: 0, now });
    // An isolate takes one batch at a time. If this request is cancelled, another one may after a second.
    nextBatchAt = now + SECOND_MS;
    const waitMs = await attempts.take({ action: 'prices.public', person: 'visitors', limit });
    const mints = await repository.takeBatch({ added, size: waitMs === 0 ? PRICE_BATCH_SIZE : 0, now });
    nextBatchAt = now + waitMs;
    return mints;
  };

  const refresh = async (ranks: ReturnType<typeof rank>): Promise<ShownPrices> => {
    const window = windowStart(clock.now());
    const mints = await takeBatch(ranks);
    if (mints.length === 0) return {};
    const request = { sources: options.sources, mints, priority: BULK, current: options.readSlot(), clock };
    const { responses } = await requestPrices(request);
    const prices = Object.fromEntries([...responses].map(([mint, seen]) => [mint, showPrice(seen, window)]));
    await repository.save(prices);
    return prices;
  };

  return {
    isPublic: async (mint: string) => (await repository.read([mint])).length > 0,

    /** The prices of the public mints; undefined for a mint without one. Old prices are refreshed first, unless that is slow. */
    async show(mints: readonly string[], network: string): Promise<Map<string, ShownPrice | undefined>> {
      const known = await repository.read(mints);
      const old = known.filter(({ askedAt }) => askedAt <= clock.now() - PUBLIC_PRICE_KEPT_MS);
      const refreshed = old.length === 0 ? Promise.resolve({}) : refresh(rank(old, network));
      options.lifetime.keepAlive(refreshed);
      const fresh: ShownPrices = await withTimeout(refreshed, LIVE_PRICE_WAIT_MS).catch(() => ({}));
      return new Map(
        known.map(({ mint, price }) => [mint, youngerPrice(fresh[mint], readJson(price) ?? undefined)]),
      );
    },
  };
}
