import type { Base } from '../../app/base.ts';
import type { WalletsService } from '../money/wallets/wallets.service.ts';
import { createCallersService } from './callers/callers.service.ts';
import { createAutomaticEndsService } from './calls/automatic-ends.service.ts';
import { createCallDetailsService } from './calls/call-details.service.ts';
import { createCallLevelsService } from './calls/call-levels.service.ts';
import type { CallsOptions } from './calls/calls.ports.ts';
import { createCallsService } from './calls/calls.service.ts';
import { createFollowerResultsService } from './calls/follower-results.service.ts';
import { createLateCallsService } from './calls/late-calls.service.ts';
import { createStatisticsRepairService } from './calls/statistics-repair.service.ts';
import { createTokenCallsService } from './calls/token-calls.service.ts';
import { createCallHoldingsService } from './holdings/call-holdings.service.ts';
import { createHoldingsService } from './holdings/holdings.service.ts';
import { createPrices, type PricesOptions } from './prices.module.ts';

interface MarketOptions extends PricesOptions, Pick<CallsOptions, 'messages' | 'pauses' | 'subscriptions'> {
  readonly wallets: WalletsService;
}

export function createMarketModule(base: Base, options: MarketOptions) {
  const priceServices = createPrices(base, options);
  const parts = { ...base, ...options, prices: priceServices.prices };
  return {
    ...priceServices,
    calls: createCallsService(parts),
    callDetails: createCallDetailsService(parts),
    tokenCalls: createTokenCallsService(parts),
    automaticEnds: createAutomaticEndsService(parts),
    callLevels: createCallLevelsService(parts),
    followerResults: createFollowerResultsService(base),
    lateCalls: createLateCallsService(base),
    statisticsRepair: createStatisticsRepairService(base),
    callers: createCallersService(parts),
    holdings: createHoldingsService(parts),
    callHoldings: createCallHoldingsService(base),
  };
}
