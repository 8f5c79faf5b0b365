import { createRebroadcastTimer } from '../../adapters/rebroadcast-timer.ts';
import type { Base, OptionsOf } from '../../app/base.ts';
import { REBROADCASTER_NAME } from '../../app/env.ts';
import type { Live } from '../../ports/live.ts';
import { createPausesService, type PausesService } from './pauses/pauses.service.ts';
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
import {
  createSubscriptionsService,
  type SubscriptionsService,
} from './subscriptions/subscriptions.service.ts';
import { createWalletsRepository } from './wallets/wallets.repository.ts';
import { createWalletsService } from './wallets/wallets.service.ts';

interface MoneyOptions {
  readonly backups: OptionsOf<typeof createPaymentsService>['backups'];
  readonly callerGuard: OptionsOf<typeof createReceiptsService>['callerGuard'];
  readonly live: Live;
  readonly terms: OptionsOf<typeof createPaymentsService>['terms'];
}

export function createMoneyModule(base: Base, options: MoneyOptions) {
  const { db, vars } = base;
  const pauses = createPausesService(db);
  const subscriptions = createSubscriptionsService({
    ...base,
    ...options,
    repository: createSubscriptionsRepository(db),
  });
  return {
    pauses,
    subscriptions,
    ...createPayments(base, { ...options, pauses, subscriptions }),
    wallets: createWalletsService({
      ...base,
      ...options,
      repository: createWalletsRepository(db),
      appOrigin: vars.APP_ORIGIN,
    }),
  };
}

interface PaymentOptions extends MoneyOptions {
  readonly pauses: PausesService;
  readonly subscriptions: SubscriptionsService;
}

function createPayments(base: Base, options: PaymentOptions) {
  const { env, vars, db } = base;
  const protocol = {
    ...base,
    ...options,
    intents: createIntentsRepository(db),
    broadcasts: createBroadcastsRepository(db),
    ledger: createLedgerRepository(db),
    platformAddress: vars.PLATFORM_WALLET,
    signaturesPerRequest: vars.SOLANA_SIGNATURES_PER_REQUEST,
  };
  const timer = createRebroadcastTimer(() => env.REBROADCASTER.getByName(REBROADCASTER_NAME));
  return {
    payments: createPaymentsService({ ...protocol, timer }),
    ledgerCheck: createLedgerCheckService({ ...protocol, checks: createLedgerChecksRepository(db) }),
    platformWalk: createPlatformWalkService({ ...protocol, unread: createUnreadRepository(db) }),
    receipts: createReceiptsService({ ...protocol, repository: createReceiptsRepository(db) }),
    refunds: createRefundsService({ ...protocol, refunds: createRefundsRepository(db) }),
    reconciliation: createReconcileService(protocol),
    rebroadcast: createRebroadcastService({ ...protocol, timer }),
  };
}
