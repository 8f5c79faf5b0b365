import { createPriceSources } from '../../adapters/price-sources.ts';
import type { Base } from '../../app/base.ts';
import { wideNetworkOf } from '../../app/network-of.ts';
import type { CallerGuard } from '../people/users/caller-guard.ts';
import { createActiveMintsRepository, createMintsWithSol } from './prices/active-mints.repository.ts';
import { createPriceClosesService } from './prices/price-closes.service.ts';
import { createPriceMarksService } from './prices/price-marks.service.ts';
import { createPriceRefreshService } from './prices/price-refresh.service.ts';
import { createPriceShardsRepository } from './prices/price-shards.repository.ts';
import { createPriceStore } from './prices/price-store.ts';
import { createPricesService } from './prices/prices.service.ts';
import { createPublicPrices } from './prices/public-prices.ts';
import { createSlotReader } from './prices/request-sources.ts';
import { createSealedUrls, withIconPaths } from './prices/sealed-urls.ts';
import { createTokenSearch } from './prices/token-search.ts';
import { withUnits } from './prices/token-units.ts';

export interface PricesOptions {
  readonly callerGuard: CallerGuard;
}

export function createPrices(base: Base, options: PricesOptions) {
  const { env, vars, db } = base;
  const sealedUrls = createSealedUrls(vars.X_TOKENS_KEY);
  const unchecked = createPriceSources(base).map((source) => withIconPaths(source, sealedUrls));
  const sources = unchecked.map((source) =>
    withUnits(source, { ...base, mayBeScaled: () => !source.statesUnits }),
  );
  const shards = createPriceShardsRepository(db);
  const store = createPriceStore({ kv: env.PRICES, shards });
  const asking = { ...base, sources, readSlot: createSlotReader(base) };
  return {
    priceSources: unchecked,
    closes: createPriceClosesService(base),
    sealedUrls,
    tokenSearch: createTokenSearch({ ...base, sources, callerGuard: options.callerGuard }),
    prices: createPricesService({
      ...asking,
      store,
      publicPrices: createPublicPrices({
        ...asking,
        requestsPerSecond: vars.JUPITER_REQUESTS_PER_SECOND,
      }),
      takeUnknownMint: async (network) =>
        (await env.LIMIT_COSTLY.limit({ key: `unknown mints ${wideNetworkOf(network)}` })).success,
    }),
    priceMarks: createPriceMarksService({
      ...asking,
      sources: unchecked,
    }),
    priceRefresh: createPriceRefreshService({
      ...asking,
      // SOL is always refreshed, because its price converts amounts to dollars.
      activeMints: createMintsWithSol(createActiveMintsRepository(db)),
      store,
    }),
  };
}
