import { createTimer } from '../../adapters/timer.ts';
import type { Base, OptionsOf } from '../../app/base.ts';
import { REBROADCASTER_NAME } from '../../app/env.ts';
import type { Live } from '../../ports/live.ts';
import { createPausesService } from './pauses/pauses.service.ts';
import { createBroadcastsRepository } from './payments/broadcasts.repository.ts';
import { createIntentsRepository } from './payments/intents.repository.ts';
import { createLedgerCheckService } from './payments/ledger-check.service.ts';
import { createLedgerChecksRepository } from './payments/ledger-checks.repository.ts';
import { createLedgerRepository } from './payments/ledger.repository.ts';
import { createPaymentsService } from './payments/payments.service.ts';
import { createRebroadcastService } from './payments/rebroadcast.service.ts';
import { createPlatformWalkService } from './payments/platform-walk.service.ts';
import { createReceiptsRepository } from './payments/receipts.repository.ts';
import { createReceiptsService } from './payments/receipts.service.ts';
import { createRefundsRepository } from './payments/refunds.repository.ts';
import { createRefundsService } from './payments/refunds.service.ts';
import { createReconcileService } from './payments/reconcile.service.ts';
import { createUnreadRepository } from './payments/unread.repository.ts';
import { createSubscriptionsRepository } from './subscriptions/subscriptions.repository.ts';
import { createSubscriptionsService } from './subscriptions/subscriptions.service.ts';
import { createWalletsRepository } from './wallets/wallets.repository.ts';
import { createWalletsService } from './wallets/wallets.service.ts';

interface MoneyOptions {
  readonly backups: OptionsOf<typeof createPaymentsService>['backups'];
  readonly live: Live;
  readonly terms: OptionsOf<typeof createPaymentsService>['terms'];
}

export function createMoneyModule(base: Base, options: MoneyOptions) {
  const { env, vars, db } = base;
  const common = { ...base, ...options };
  const pauses = createPausesService(db);
  const subscriptions = createSubscriptionsService({
    ...common,
    repository: createSubscriptionsRepository(db),
  });
  const protocol = {
    ...common,
    pauses,
    subscriptions,
    intents: createIntentsRepository(db),
    broadcasts: createBroadcastsRepository(db),
    ledger: createLedgerRepository(db),
    platformAddress: vars.PLATFORM_WALLET,
    signaturesPerRequest: vars.SOLANA_SIGNATURES_PER_REQUEST,
  };
  const unread = createUnreadRepository(db);
  const timer = createTimer(() => env.REBROADCASTER.getByName(REBROADCASTER_NAME));
  return {
    pauses,
    subscriptions,
    payments: createPaymentsService({ ...protocol, unread, timer }),
    ledgerCheck: createLedgerCheckService({ ...protocol, checks: createLedgerChecksRepository(db) }),
    platformWalk: createPlatformWalkService({ ...protocol, unread }),
    receipts: createReceiptsService({ ...common, repository: createReceiptsRepository(db) }),
    refunds: createRefundsService({ ...protocol, refunds: createRefundsRepository(db) }),
    reconciliation: createReconcileService(protocol),
    rebroadcast: createRebroadcastService({ ...protocol, timer }),
    wallets: createWalletsService({
      ...common,
      repository: createWalletsRepository(db),
      appOrigin: vars.APP_ORIGIN,
    }),
  };
}
