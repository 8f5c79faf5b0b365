import type { Base, OptionsOf } from '../../app/base.ts';
import type { SubscriptionsService } from '../money/subscriptions/subscriptions.service.ts';
import type { CallerGuard } from '../people/users/caller-guard.ts';
import { createCallersService } from './callers/callers.service.ts';
import { createAutomaticEndsRepository } from './calls/automatic-ends.repository.ts';
import { createAutomaticEndsService } from './calls/automatic-ends.service.ts';
import { createCallDetailsService } from './calls/call-details.service.ts';
import { createCallLevelsRepository } from './calls/call-levels.repository.ts';
import { createCallLevelsService } from './calls/call-levels.service.ts';
import { createCallStatisticsRepository } from './calls/call-statistics.repository.ts';
import type { CallsOptions } from './calls/calls.ports.ts';
import { createCallsRepository } from './calls/calls.repository.ts';
import { createCallsService } from './calls/calls.service.ts';
import { createEndCall } from './calls/end-call.ts';
import { createFollowerResultsService } from './calls/follower-results.service.ts';
import { createLateCallsService } from './calls/late-calls.service.ts';
import { createStatisticsRepairService } from './calls/statistics-repair.service.ts';
import { createTokenCallsService } from './calls/token-calls.service.ts';
import { createCallHoldingsService } from './holdings/call-holdings.service.ts';
import { createHoldingsService, type ProvenWallets } from './holdings/holdings.service.ts';
import { createPrices, type PricesOptions } from './prices.module.ts';

interface MarketOptions extends Pick<CallsOptions, 'events'> {
  readonly callerGuard: CallerGuard;
  readonly subscriptions: SubscriptionsService;
  readonly wallets: ProvenWallets;
  readonly withIconPaths: PricesOptions['withIconPaths'];
}

export function createMarketModule(base: Base, options: MarketOptions) {
  const { db } = base;
  const repository = createCallsRepository(db);
  const levels = createCallLevelsRepository(db);
  const { closesRepository, ...priceServices } = createPrices(base, {
    ...options,
    activeCalls: repository,
    levels,
  });
  const { prices } = priceServices;
  return {
    ...priceServices,
    ...createCalls(base, { ...options, repository, closes: closesRepository, prices }),
    callLevels: createCallLevelsService({ ...base, repository: levels, quotes: prices }),
    callStatistics: createCallStatisticsRepository(db),
    followerResults: createFollowerResultsService(base),
    lateCalls: createLateCallsService(base),
    statisticsRepair: createStatisticsRepairService(base),
    callers: createCallersService({ ...base, prices }),
    holdings: createHoldingsService({ ...base, wallets: options.wallets, tokens: prices }),
    callHoldings: createCallHoldingsService(base),
  };
}

interface CallParts extends MarketOptions {
  readonly repository: CallsOptions['repository'];
  readonly closes: OptionsOf<typeof createTokenCallsService>['closes'] &
    OptionsOf<typeof createCallDetailsService>['closes'];
  readonly prices: CallsOptions['quotes'] & OptionsOf<typeof createAutomaticEndsService>['quotes'];
}

function createCalls(base: Base, parts: CallParts) {
  const { db, clock } = base;
  const { repository, closes, prices, callerGuard, subscriptions, events } = parts;
  const readers = { ...base, calls: repository, closes, prices, entitlement: subscriptions };
  return {
    calls: createCallsService({
      ...base,
      repository,
      quotes: prices,
      entitlement: { ...subscriptions, ...callerGuard },
      events,
    }),
    callDetails: createCallDetailsService(readers),
    tokenCalls: createTokenCallsService(readers),
    automaticEnds: createAutomaticEndsService({
      ...base,
      repository: createAutomaticEndsRepository(db),
      quotes: prices,
      endCall: createEndCall({ repository, clock }),
    }),
  };
}
