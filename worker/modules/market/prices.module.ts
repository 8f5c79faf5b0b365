import { createPriceSources } from '../../adapters/price-sources.ts';
import type { Base, OptionsOf } from '../../app/base.ts';
import type { PriceSource } from '../../ports/price-source.ts';
import { createActiveMintsRepository, createMintsWithSol } from './prices/active-mints.repository.ts';
import { createPriceClosesRepository } from './prices/price-closes.repository.ts';
import { createPriceClosesService } from './prices/price-closes.service.ts';
import { createPriceMarksService } from './prices/price-marks.service.ts';
import { createPriceRefreshService } from './prices/price-refresh.service.ts';
import { createPriceShardsRepository } from './prices/price-shards.repository.ts';
import { createPriceStore } from './prices/price-store.ts';
import { createPricesService } from './prices/prices.service.ts';
import { createPublicPricesRepository } from './prices/public-prices.repository.ts';
import { createPublicPrices } from './prices/public-prices.ts';
import { createSlotReader } from './prices/request-sources.ts';
import { createTokenSearch } from './prices/token-search.ts';
import { withUnits } from './prices/token-units.ts';

export interface PricesOptions {
  readonly activeCalls: OptionsOf<typeof createPriceRefreshService>['activeCalls'];
  readonly callerGuard: OptionsOf<typeof createTokenSearch>['callers'];
  readonly levels: OptionsOf<typeof createPriceRefreshService>['levels'];
  readonly withIconPaths: (source: PriceSource) => PriceSource;
}

export function createPrices(base: Base, options: PricesOptions) {
  const { env, vars, db } = base;
  const unchecked = createPriceSources(base).map(options.withIconPaths);
  const sources = unchecked.map((source) =>
    withUnits(source, { ...base, mayBeScaled: () => !source.statesUnits }),
  );
  const shards = createPriceShardsRepository(db);
  const store = createPriceStore({ kv: env.PRICES, shards });
  const closesRepository = createPriceClosesRepository(db);
  const asking = { ...base, sources, readSlot: createSlotReader(base) };
  return {
    closesRepository,
    closes: createPriceClosesService(base),
    tokenSearch: createTokenSearch({ ...base, sources, callers: options.callerGuard }),
    prices: createPricesService({
      ...asking,
      store,
      publicPrices: createPublicPrices({
        ...asking,
        repository: createPublicPricesRepository(db),
        requestsPerSecond: vars.JUPITER_REQUESTS_PER_SECOND,
      }),
      takeUnknownMint: async (network) =>
        (await env.LIMIT_COSTLY.limit({ key: `unknown mints ${network}` })).success,
    }),
    priceMarks: createPriceMarksService({
      ...asking,
      sources: unchecked,
    }),
    priceRefresh: createPriceRefreshService({
      ...asking,
      activeCalls: options.activeCalls,
      // SOL is always refreshed, because its price converts amounts to dollars.
      activeMints: createMintsWithSol(createActiveMintsRepository(db)),
      levels: options.levels,
      store,
    }),
  };
}
