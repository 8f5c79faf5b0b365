import type { Base, OptionsOf } from '../../app/base.ts';
import type { SubscriptionsService } from '../money/subscriptions/subscriptions.service.ts';
import type { CallerGuard } from '../people/users/caller-guard.ts';
import { createCallersRepository } from './callers/callers.repository.ts';
import { createCallersService } from './callers/callers.service.ts';
import { createDirectoryRepository } from './callers/directory.repository.ts';
import { createLookAlikesRepository } from './callers/look-alikes.repository.ts';
import { createAutomaticEndsRepository } from './calls/automatic-ends.repository.ts';
import { createAutomaticEndsService } from './calls/automatic-ends.service.ts';
import { createCallDetailsRepository } from './calls/call-details.repository.ts';
import { createCallDetailsService } from './calls/call-details.service.ts';
import { createCallLevelsRepository } from './calls/call-levels.repository.ts';
import { createCallLevelsService } from './calls/call-levels.service.ts';
import { createCallStatisticsRepository } from './calls/call-statistics.repository.ts';
import type { CallsOptions } from './calls/calls.ports.ts';
import { createCallsRepository } from './calls/calls.repository.ts';
import { createCallsService } from './calls/calls.service.ts';
import { createEndCall } from './calls/end-call.ts';
import { createFollowerResultsRepository } from './calls/follower-results.repository.ts';
import { createFollowerResultsService } from './calls/follower-results.service.ts';
import { createLateCallsRepository } from './calls/late-calls.repository.ts';
import { createLateCallsService } from './calls/late-calls.service.ts';
import { createStatisticsRepairService } from './calls/statistics-repair.service.ts';
import { createTokenCallsRepository } from './calls/token-calls.repository.ts';
import { createTokenCallsService } from './calls/token-calls.service.ts';
import { createCallHoldingsRepository } from './holdings/call-holdings.repository.ts';
import { createCallHoldingsService } from './holdings/call-holdings.service.ts';
import { createHoldingsService, type ProvenWallets } from './holdings/holdings.service.ts';
import { createPrices, type PricesOptions } from './prices.module.ts';

interface MarketOptions extends Pick<CallsOptions, 'events'> {
  readonly callerGuard: CallerGuard;
  readonly subscriptions: SubscriptionsService;
  readonly wallets: ProvenWallets;
  readonly withIconPaths: PricesOptions['withIconPaths'];
}

/** Prices, callers, calls and holdings. */
export function createMarketModule(base: Base, options: MarketOptions) {
  const { db, clock, chain, leases } = base;
  const repository = createCallsRepository(db);
  const levels = createCallLevelsRepository(db);
  const { closesRepository, ...priceServices } = createPrices(base, {
    ...options,
    activeCalls: repository,
    levels,
  });
  const { prices } = priceServices;
  const statistics = createCallStatisticsRepository(db);
  const followerResults = createFollowerResultsRepository(db);
  return {
    ...priceServices,
    ...createCalls(base, { ...options, repository, closes: closesRepository, prices }),
    callLevels: createCallLevelsService({ repository: levels, quotes: prices, leases, clock }),
    callStatistics: statistics,
    followerResults: createFollowerResultsService({ repository: followerResults, leases, clock }),
    lateCalls: createLateCallsService({
      repository: createLateCallsRepository(db),
      followerResults,
      leases,
      clock,
    }),
    statisticsRepair: createStatisticsRepairService({
      repository: statistics,
      followerResults,
      leases,
      clock,
    }),
    callers: createCallersService({
      repository: createCallersRepository(db),
      directory: createDirectoryRepository(db),
      lookAlikes: createLookAlikesRepository(db),
      prices,
      clock,
    }),
    holdings: createHoldingsService({ wallets: options.wallets, chain, tokens: prices }),
    callHoldings: createCallHoldingsService({
      repository: createCallHoldingsRepository(db),
      chain,
      leases,
      clock,
    }),
  };
}

interface CallParts extends MarketOptions {
  readonly repository: CallsOptions['repository'];
  readonly closes: OptionsOf<typeof createTokenCallsService>['closes'] &
    OptionsOf<typeof createCallDetailsService>['closes'];
  readonly prices: CallsOptions['quotes'] & OptionsOf<typeof createAutomaticEndsService>['quotes'];
}

function createCalls({ db, attempts, leases, clock, pauses }: Base, parts: CallParts) {
  const { repository, closes, prices, callerGuard, subscriptions, events } = parts;
  const readers = { calls: repository, closes, prices, entitlement: subscriptions, clock };
  return {
    calls: createCallsService({
      repository,
      quotes: prices,
      attempts,
      pauses,
      entitlement: { ...subscriptions, ...callerGuard },
      events,
      clock,
    }),
    callDetails: createCallDetailsService({ ...readers, repository: createCallDetailsRepository(db) }),
    tokenCalls: createTokenCallsService({ ...readers, repository: createTokenCallsRepository(db) }),
    automaticEnds: createAutomaticEndsService({
      repository: createAutomaticEndsRepository(db),
      quotes: prices,
      endCall: createEndCall({ repository, clock }),
      leases,
      clock,
    }),
  };
}
