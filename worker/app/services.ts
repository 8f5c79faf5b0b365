import {
  CALL_ATTEMPTS,
  DATA_EXPORTS,
  MESSAGES_PER_SECOND,
  MINUTE_MS,
  PUSHES_PER_SECOND,
  SECOND_MS,
  TOKEN_SEARCHES,
} from '#schema/constants.ts';
import { isListed } from '#schema/rules/standing.ts';
import { createDexscreener } from '../adapters/dexscreener.ts';
import { createImageCache } from '../adapters/image-cache.ts';
import { createJupiter } from '../adapters/jupiter.ts';
import { requestLifetime } from '../adapters/request-lifetime.ts';
import { createSharedBudget } from '../adapters/shared-budget.ts';
import { createSolanaRpc } from '../adapters/solana-rpc.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { createTelegramBot } from '../adapters/telegram-bot.ts';
import { createTokenIcons } from '../adapters/token-icons.ts';
import { createVapid } from '../adapters/vapid.ts';
import { createWebPush, isPushKey, toAddress } from '../adapters/web-push.ts';
import { witnessClient } from '../adapters/witness-client.ts';
import { createXIdentityProvider } from '../adapters/x-api.ts';
import { createXPictures, PICTURE_TIMEOUT_MS } from '../adapters/x-pictures.ts';
import { createXTweetPoster } from '../adapters/x-tweets.ts';
import { createDeletionList } from '../modules/running/backup/deletion-list.ts';
import { createDeletionRepository } from '../modules/people/account/deletion.repository.ts';
import { createDeletionService } from '../modules/people/account/deletion.service.ts';
import { createExportRepository } from '../modules/people/account/export.repository.ts';
import { createExportService } from '../modules/people/account/export.service.ts';
import { createAuthRepository } from '../modules/people/auth/auth.repository.ts';
import { createAuthService } from '../modules/people/auth/auth.service.ts';
import { createSessionsRepository } from '../modules/people/auth/sessions.repository.ts';
import { createSessionsService } from '../modules/people/auth/sessions.service.ts';
import { createBackupRepository } from '../modules/running/backup/backup.repository.ts';
import { createBackupService } from '../modules/running/backup/backup.service.ts';
import { createPaymentBackups } from '../modules/running/backup/payment-backups.ts';
import { createCallersRepository } from '../modules/market/callers/callers.repository.ts';
import { createCallersService } from '../modules/market/callers/callers.service.ts';
import { createDirectoryRepository } from '../modules/market/callers/directory.repository.ts';
import { createLookAlikesRepository } from '../modules/market/callers/look-alikes.repository.ts';
import { createAutomaticEndsRepository } from '../modules/market/calls/automatic-ends.repository.ts';
import { createAutomaticEndsService } from '../modules/market/calls/automatic-ends.service.ts';
import { createCallDetailsRepository } from '../modules/market/calls/call-details.repository.ts';
import {
  createCallLevelsRepository,
  type CallLevelsRepository,
} from '../modules/market/calls/call-levels.repository.ts';
import { createCallLevelsService } from '../modules/market/calls/call-levels.service.ts';
import { createCallDetailsService } from '../modules/market/calls/call-details.service.ts';
import { createCallStatisticsRepository } from '../modules/market/calls/call-statistics.repository.ts';
import { createEndCall } from '../modules/market/calls/end-call.ts';
import { createCallsRepository, type CallsRepository } from '../modules/market/calls/calls.repository.ts';
import { createCallsService } from '../modules/market/calls/calls.service.ts';
import { createTokenCallsRepository } from '../modules/market/calls/token-calls.repository.ts';
import { createTokenCallsService } from '../modules/market/calls/token-calls.service.ts';
import { createStatisticsRepairService } from '../modules/market/calls/statistics-repair.service.ts';
import { createDeliveriesRepository } from '../modules/messages/delivery/deliveries.repository.ts';
import { createOutboxStore } from '../modules/messages/delivery/outbox.ts';
import { createPushDeliveriesRepository } from '../modules/messages/delivery/push-deliveries.repository.ts';
import { createPushRepository } from '../modules/messages/push/push.repository.ts';
import { createPushService } from '../modules/messages/push/push.service.ts';
import { createResendsRepository } from '../modules/messages/delivery/resends.repository.ts';
import { createResendsService } from '../modules/messages/delivery/resends.service.ts';
import { createSender } from '../modules/messages/delivery/sender.ts';
import type { SenderOptions } from '../modules/messages/delivery/sender-options.ts';
import { createHealthService } from '../modules/running/health/health.service.ts';
import { createJobRunsRepository } from '../modules/running/health/job-runs.repository.ts';
import { createCallHoldingsRepository } from '../modules/market/holdings/call-holdings.repository.ts';
import { createCallHoldingsService } from '../modules/market/holdings/call-holdings.service.ts';
import { createHoldingsService } from '../modules/market/holdings/holdings.service.ts';
import { createImagesRepository } from '../modules/public/images/images.repository.ts';
import { createImagesService } from '../modules/public/images/images.service.ts';
import { createSealedUrls, withIconPaths } from '../modules/public/images/sealed-urls.ts';
import { createCallEventsRepository } from '../modules/messages/notifications/call-events.repository.ts';
import { createCallEventsService } from '../modules/messages/notifications/call-events.service.ts';
import { createCallUpdatesRepository } from '../modules/messages/notifications/call-updates.repository.ts';
import { createCallUpdatesService } from '../modules/messages/notifications/call-updates.service.ts';
import { createNewDevicesRepository } from '../modules/messages/notifications/new-devices.repository.ts';
import { createNewDevicesService } from '../modules/messages/notifications/new-devices.service.ts';
import { createNotificationSettingsRepository } from '../modules/messages/notifications/notification-settings.repository.ts';
import { createNotificationSettingsService } from '../modules/messages/notifications/notification-settings.service.ts';
import { createPaymentNoticesRepository } from '../modules/messages/notifications/payment-notices.repository.ts';
import { createPaymentNoticesService } from '../modules/messages/notifications/payment-notices.service.ts';
import { createPayoutChangesRepository } from '../modules/messages/notifications/payout-changes.repository.ts';
import { createPayoutChangesService } from '../modules/messages/notifications/payout-changes.service.ts';
import { createRenewalsRepository } from '../modules/messages/notifications/renewals.repository.ts';
import { createRenewalsService } from '../modules/messages/notifications/renewals.service.ts';
import { createOperatorsRepository } from '../modules/running/operators/operators.repository.ts';
import { createOperatorsService } from '../modules/running/operators/operators.service.ts';
import { createOverviewRepository } from '../modules/running/operators/overview.repository.ts';
import { createPaymentHistoryRepository } from '../modules/running/operators/payment-history.repository.ts';
import { createPeopleRepository } from '../modules/running/operators/people.repository.ts';
import { createReportsRepository } from '../modules/people/reports/reports.repository.ts';
import { createReportsService } from '../modules/people/reports/reports.service.ts';
import { createLiveHub, type LiveHubOptions } from '../modules/messages/live/live-hub.ts';
import { createLiveRepository } from '../modules/messages/live/live.repository.ts';
import { createLiveService } from '../modules/messages/live/live.service.ts';
import { createLogImportRepository } from '../modules/log/log-import.repository.ts';
import { createLogImportService } from '../modules/log/log-import.service.ts';
import { createLogKey } from '../modules/log/log-key.ts';
import { createLogRepository } from '../modules/log/log.repository.ts';
import { createLogService } from '../modules/log/log.service.ts';
import { createRecordRepository } from '../modules/log/record.repository.ts';
import { createRecordService } from '../modules/log/record.service.ts';
import { createSequencerService } from '../modules/log/sequencer.service.ts';
import { createAnchorWallet } from '../modules/log/anchor-wallet.ts';
import { createAnchorsRepository } from '../modules/log/anchors.repository.ts';
import { createAnchorsService } from '../modules/log/anchors.service.ts';
import { createWitnessesRepository } from '../modules/log/witnesses.repository.ts';
import { createWitnessesService } from '../modules/log/witnesses.service.ts';
import { createTelegramLinksRepository } from '../modules/messages/telegram/telegram-links.repository.ts';
import { createTelegramLinksService } from '../modules/messages/telegram/telegram-links.service.ts';
import { createFeedsService, type FeedSources } from '../modules/public/feeds/feeds.service.ts';
import { createPagesService, type PagesOptions } from '../modules/public/pages/pages.service.ts';
import { createSitemapRepository } from '../modules/public/pages/sitemap.repository.ts';
import { createSitemapService } from '../modules/public/pages/sitemap.service.ts';
import { createBroadcastsRepository } from '../modules/money/payments/broadcasts.repository.ts';
import { createEndpointOutagesRepository } from '../modules/money/payments/endpoint-outages.repository.ts';
import { createEndpointWatchService } from '../modules/money/payments/endpoint-watch.service.ts';
import { createIntentsRepository } from '../modules/money/payments/intents.repository.ts';
import { createLedgerCheckService } from '../modules/money/payments/ledger-check.service.ts';
import { createLedgerChecksRepository } from '../modules/money/payments/ledger-checks.repository.ts';
import { createLedgerRepository } from '../modules/money/payments/ledger.repository.ts';
import { createReconcileService } from '../modules/money/payments/reconcile.service.ts';
import { createPaymentsService, type PaymentsService } from '../modules/money/payments/payments.service.ts';
import { createRebroadcastService } from '../modules/money/payments/rebroadcast.service.ts';
import { createReceiptsRepository } from '../modules/money/payments/receipts.repository.ts';
import { createReceiptsService } from '../modules/money/payments/receipts.service.ts';
import {
  createActiveMintsRepository,
  createMintsWithSol,
} from '../modules/market/prices/active-mints.repository.ts';
import { createPaymentMetrics } from '../modules/money/payments/payment-metrics.ts';
import { createPriceClosesRepository } from '../modules/market/prices/price-closes.repository.ts';
import { createPriceClosesService } from '../modules/market/prices/price-closes.service.ts';
import { createPriceMarksRepository } from '../modules/market/prices/price-marks.repository.ts';
import { createPriceRefreshService } from '../modules/market/prices/price-refresh.service.ts';
import { createPriceShardsRepository } from '../modules/market/prices/price-shards.repository.ts';
import { createPublicMintsRepository } from '../modules/market/prices/public-mints.repository.ts';
import { createPriceStore } from '../modules/market/prices/price-store.ts';
import { createUnpricedMintsRepository } from '../modules/market/prices/unpriced-mints.repository.ts';
import { createTokenSearch } from '../modules/market/prices/token-search.ts';
import { createPricesService } from '../modules/market/prices/prices.service.ts';
import { createSlotReader } from '../modules/market/prices/chain-slot.ts';
import { createShareImageService } from '../modules/public/shares/share-image.service.ts';
import { createSharesRepository } from '../modules/public/shares/shares.repository.ts';
import { createSharesService } from '../modules/public/shares/shares.service.ts';
import { createTokenCipher } from '../modules/public/shares/token-cipher.ts';
import { createSubscriptionsRepository } from '../modules/money/subscriptions/subscriptions.repository.ts';
import { createSubscriptionsService } from '../modules/money/subscriptions/subscriptions.service.ts';
import { createTermsRepository } from '../modules/people/terms/terms.repository.ts';
import { createTermsService } from '../modules/people/terms/terms.service.ts';
import { createNotACallerError, createSuspendedError } from '../modules/people/users/users.errors.ts';
import { createUsersRepository } from '../modules/people/users/users.repository.ts';
import { createUsersService } from '../modules/people/users/users.service.ts';
import { createWalletsRepository } from '../modules/money/wallets/wallets.repository.ts';
import { createWalletsService } from '../modules/money/wallets/wallets.service.ts';
import type { Clock } from '../ports/clock.ts';
import type { Metrics } from '../ports/metrics.ts';
import type { RenderPage } from '../ports/page-renderer.ts';
import type { Channel, Outbox, OutgoingEvent } from '../ports/outbox.ts';
import type { RebroadcastTimer } from '../ports/rebroadcast-timer.ts';
import { createAlarm, createDailyAlarm } from '../shared/alarms.ts';
import { createAttempts } from '../shared/attempts.ts';
import { createAnalyticsSql } from '../adapters/analytics-sql.ts';
import { createMetrics } from '../adapters/metrics.ts';
import { createDatabase } from '../shared/database.ts';
import { createCookies } from './cookies.ts';
import {
  CRON_WATCH_NAME,
  LIVE_HUB_NAMES,
  liveHubOf,
  parseVars,
  REBROADCASTER_NAME,
  SENDER_NAME,
  type Bindings,
} from './env.ts';
import { createExplorerUrl } from '../shared/explorer-url.ts';
import { secureRandom } from '../shared/ids.ts';
import { withTimeout } from '../shared/with-timeout.ts';
import { createJobLeases } from '../shared/job-leases.ts';
import { describeError } from '../shared/describe-error.ts';

export type Services = ReturnType<typeof createServices>;

const cache = new WeakMap<Bindings, Services>();

/** Cached per isolate, because `env` is the same object for every request and cron run. */
export function servicesOf(env: Bindings): Services {
  const services = cache.get(env) ?? createServices(env);
  cache.set(env, services);
  return services;
}

export interface ServicesOptions {
  readonly clock?: Clock;
  /** Random number from 0 to 1 that varies the delay between retries. */
  readonly random?: () => number;
  readonly renderPage?: RenderPage;
}

/** Loads the renderer for the first page, so that it doesn't delay the worker's start. */
const renderOnDemand: RenderPage = async (request) => (await import('#page-renderer')).renderPage(request);

export interface SenderStorage extends Pick<SenderOptions, 'setAlarm'> {
  readonly sql: SqlStorage;
}

/** Creates every service and connects it to its ports. */
export function createServices(
  env: Bindings,
  { clock = systemClock, random = secureRandom, renderPage = renderOnDemand }: ServicesOptions = {},
) {
  const vars = parseVars(env);
  const db = createDatabase(env.DB);
  const callsRepository = createCallsRepository(db);
  const live = createLive(env);
  const base = createBase({ vars, db, clock, random, metrics: createMetrics(env.METRICS), live });
  const levels = createCallLevelsRepository(db);
  const { closesRepository, prices, ...priceJobs } = createPriceServices(base, env, {
    calls: callsRepository,
    levels,
  });
  const subscriptions = createSubscriptionsService({
    repository: createSubscriptionsRepository(db),
    followedCalls: { ...prices, listOfCallers: (query) => calls.listOfCallers(query) },
    live,
    clock,
    explorerUrl: base.explorerUrl,
  });
  const calls = createCallsService({
    repository: callsRepository,
    quotes: prices,
    attempts: createCallAttempts(base),
    entitlement: { ...subscriptions, ...base.callerGuard },
    events: { notifySoon: (event) => messages.callEvents.notifySoon(event) },
    signReceipt: base.signReceipt,
    clock,
  });
  const { callDetails, tokenCalls } = createCallPages(base, {
    calls: callsRepository,
    closes: closesRepository,
    prices,
    entitlement: subscriptions,
  });
  const callers = createCallers(base, prices);
  const paymentServices = createPaymentServices(base, { subscriptions, env });
  const messages = createMessageServices(base, { env, calls, subscriptions });
  return {
    ...paymentServices,
    ...messages,
    ...createOperatorServices(base, { outbox: messages.outbox, entitlement: subscriptions }),
    ...createWalletServices(base, prices),
    ...createXServices(base, { calls, callers, newDevices: messages.newDevices }),
    images: createImages(base, subscriptions),
    ...createOperationServices(base, env),
    ...createLogServices(base, env),
    logAnchors: createLogAnchors(base),
    automaticEnds: createAutomaticEndsService({
      repository: createAutomaticEndsRepository(db),
      quotes: prices,
      endCall: createEndCall({ repository: callsRepository, clock }),
      leases: base.leases,
      clock,
    }),
    callers,
    calls,
    ...createLiveHubs(base, subscriptions),
    clock,
    callDetails,
    tokenCalls,
    callLevels: createCallLevelsService({ repository: levels, quotes: prices, leases: base.leases, clock }),
    cookies: createCookies({ appOrigin: vars.APP_ORIGIN }),
    ...createPageServices(base, { callers, calls, callDetails, tokenCalls, prices, renderPage }),
    prices,
    ...priceJobs,
    sessions: createSessionsService({ repository: createSessionsRepository(db), clock }),
    statisticsRepair: createStatisticsRepairService({
      repository: createCallStatisticsRepository(db),
      leases: base.leases,
    }),
    subscriptions,
    dataExport: createDataExport(base),
    accountDeletion: createAccountDeletion(base, env),
    terms: base.terms,
    users: createUsers(base, paymentServices.payments),
  };
}

const createLive = ({ LIVE }: Bindings) =>
  createLiveService({
    hubs: { names: LIVE_HUB_NAMES, nameOf: liveHubOf, open: (name) => LIVE.getByName(name) },
    lifetime: requestLifetime,
  });

const createLiveHubs = ({ live, db, clock }: Base, entitlement: SubscriptionsService) => ({
  live,
  openLiveHub: (sockets: LiveHubOptions['sockets']) =>
    createLiveHub({ sockets, repository: createLiveRepository(db), entitlement, clock }),
});

interface Environment extends Required<Pick<ServicesOptions, 'clock' | 'random'>> {
  readonly vars: ReturnType<typeof parseVars>;
  readonly db: ReturnType<typeof createDatabase>;
  readonly metrics: Metrics;
  readonly live: ReturnType<typeof createLiveService>;
}

type Base = ReturnType<typeof createBase>;

function createBase({ vars, db, clock, random, metrics, live }: Environment) {
  const chain = createSolanaRpc({
    urls: { primary: vars.SOLANA_RPC_URL, fallback: vars.SOLANA_FALLBACK_RPC_URL },
    genesisHash: vars.SOLANA_GENESIS_HASH,
    signaturesPerRequest: vars.SOLANA_SIGNATURES_PER_REQUEST,
    clock,
    random,
    metrics,
  });
  const messenger = createTelegramBot({
    apiUrl: vars.TELEGRAM_API_URL,
    linkUrl: vars.TELEGRAM_LINK_URL,
    username: vars.TELEGRAM_BOT_USERNAME,
    token: vars.TELEGRAM_BOT_TOKEN,
  });
  const users = createUsersRepository(db);
  const logKey = createLogKey({
    name: vars.APP_ORIGIN.replace(/^https?:\/\//, ''),
    seed: vars.LOG_PRIVATE_KEY,
  });
  const attempts = createAttempts({ db, clock });
  const alarm = createAlarm({ messenger, chatId: vars.OPERATOR_CHAT_ID });
  return {
    vars,
    db,
    clock,
    logKey,
    signReceipt: logKey.signReceipt,
    chain,
    messenger,
    metrics,
    live,
    users,
    terms: createTermsService({ repository: createTermsRepository(db), clock }),
    images: createImagesRepository(db),
    sealedUrls: createSealedUrls(vars.X_TOKENS_KEY),
    callerGuard: {
      async assertIsCaller(userId: string): Promise<void> {
        if (!(await users.findUser(userId))?.caller) throw createNotACallerError();
      },
      async assertMayOpenCalls(userId: string): Promise<void> {
        const caller = (await users.findUser(userId))?.caller;
        if (!caller) throw createNotACallerError();
        if (!isListed(caller)) throw createSuspendedError();
      },
    },
    attempts,
    leases: createJobLeases({ db, clock }),
    explorerUrl: createExplorerUrl(vars.EXPLORER_TX_URL),
    alarm,
    alarmDaily: createDailyAlarm({ attempts, alarm }),
  };
}

interface CallPageParts {
  readonly calls: CallsRepository;
  readonly closes: ReturnType<typeof createPriceClosesRepository>;
  readonly prices: ReturnType<typeof createPricesService>;
  readonly entitlement: SubscriptionsService;
}

function createCallPages({ db, clock }: Base, parts: CallPageParts) {
  return {
    callDetails: createCallDetailsService({ repository: createCallDetailsRepository(db), clock, ...parts }),
    tokenCalls: createTokenCallsService({ repository: createTokenCallsRepository(db), ...parts }),
  };
}

const createCallAttempts = ({ attempts }: Base) => ({
  take: (userId: string) => attempts.take({ action: 'calls.price', person: userId, limit: CALL_ATTEMPTS }),
});

function createDataExport({ db, attempts, clock }: Base) {
  const take = (userId: string) =>
    attempts.take({ action: 'account.export', person: userId, limit: DATA_EXPORTS });
  return createExportService({ repository: createExportRepository(db), attempts: { take }, clock });
}

function createAccountDeletion({ db, clock }: Base, env: Pick<Bindings, 'BACKUPS'>) {
  return createDeletionService({
    repository: createDeletionRepository(db),
    deletions: createDeletionList({ bucket: env.BACKUPS }),
    clock,
  });
}

function createUsers({ users, terms, live, clock, vars }: Base, feeGuard: PaymentsService) {
  const operatorXIds = vars.OPERATOR_X_IDS;
  return createUsersService({ repository: users, feeGuard, terms, operatorXIds, live, clock });
}

interface OperatorParts {
  readonly outbox: Outbox;
  readonly entitlement: SubscriptionsService;
}

function createOperatorServices(base: Base, { outbox, entitlement }: OperatorParts) {
  const { vars, db, chain, attempts, clock } = base;
  const resends = createResendsService({ repository: createResendsRepository(db), outbox });
  return {
    resends,
    reports: createReportsService({ repository: createReportsRepository(db), entitlement, attempts, clock }),
    operators: createOperatorsService({
      operatorXIds: vars.OPERATOR_X_IDS,
      token: vars.OPERATORS_TOKEN,
      repository: createOperatorsRepository(db),
      overview: createOverviewRepository(db),
      people: createPeopleRepository(db),
      payments: createPaymentHistoryRepository(db),
      metrics: createAnalyticsSql({
        apiUrl: vars.ANALYTICS_API_URL,
        accountId: vars.ANALYTICS_ACCOUNT_ID,
        token: vars.ANALYTICS_API_TOKEN,
        dataset: vars.METRICS_DATASET,
      }),
      jobRuns: createJobRunsRepository(db),
      statistics: createCallStatisticsRepository(db),
      resends,
      chain,
      platformAddress: vars.PLATFORM_WALLET,
      clock,
    }),
  };
}

function createCallers({ db, clock }: Base, prices: ReturnType<typeof createPricesService>) {
  return createCallersService({
    repository: createCallersRepository(db),
    directory: createDirectoryRepository(db),
    lookAlikes: createLookAlikesRepository(db),
    prices,
    clock,
  });
}

function createPageServices(
  { vars, db, clock }: Base,
  services: Omit<PagesOptions, 'clock' | 'appOrigin'> & FeedSources,
) {
  const appOrigin = vars.APP_ORIGIN;
  return {
    pages: createPagesService({ ...services, clock, appOrigin }),
    feeds: createFeedsService({ ...services, appOrigin }),
    sitemap: createSitemapService({ repository: createSitemapRepository(db), appOrigin }),
  };
}

interface PricedCalls {
  readonly calls: CallsRepository;
  readonly levels: CallLevelsRepository;
}

function createJupiterSource({ vars, attempts, clock, metrics }: Base) {
  const perMinute = Math.round((vars.JUPITER_REQUESTS_PER_SECOND * MINUTE_MS) / SECOND_MS);
  const budget = createSharedBudget({ source: 'jupiter', perMinute, attempts, clock });
  return createJupiter({
    baseUrl: vars.JUPITER_URL,
    apiKey: vars.JUPITER_API_KEY,
    clock,
    perMinute,
    budget,
    metrics,
  });
}

function createPriceServices(base: Base, env: Bindings, { calls, levels }: PricedCalls) {
  const { vars, db, clock, chain, leases } = base;
  const sources = [
    createJupiterSource(base),
    createDexscreener({ baseUrl: vars.DEXSCREENER_URL, clock, metrics: base.metrics }),
  ].map((source) => withIconPaths(source, base.sealedUrls));
  const shards = createPriceShardsRepository(db);
  const unpriced = createUnpricedMintsRepository();
  const store = createPriceStore({ kv: env.PRICES, shards });
  const closes = createPriceClosesRepository(db);
  const readSlot = createSlotReader(chain, clock);
  return {
    closesRepository: closes,
    closes: createPriceClosesService({ closes, leases, clock }),
    tokenSearch: createTokenSearch({
      sources,
      callers: base.callerGuard,
      attempts: {
        take: (userId) =>
          base.attempts.take({ action: 'tokens.search', person: userId, limit: TOKEN_SEARCHES }),
      },
      clock,
    }),
    prices: createPricesService({
      sources,
      store,
      publicMints: createPublicMintsRepository(db),
      unknownMints: {
        take: async (visitor) => (await env.LIMIT_COSTLY.limit({ key: `unknown mints ${visitor}` })).success,
      },
      readSlot,
      clock,
      lifetime: requestLifetime,
    }),
    priceRefresh: createPriceRefreshService({
      sources,
      activeCalls: calls,
      // SOL is always refreshed, because its price converts amounts to dollars.
      activeMints: createMintsWithSol(createActiveMintsRepository(db)),
      levels,
      store,
      shards,
      closes,
      marks: createPriceMarksRepository(db),
      unpriced,
      leases,
      readSlot,
      clock,
    }),
  };
}

function createImages(
  { vars, clock, images, sealedUrls }: Base,
  entitlement: ReturnType<typeof createSubscriptionsService>,
) {
  return createImagesService({
    repository: images,
    pictures: createXPictures({ baseUrl: vars.X_PICTURES_URL, timeoutMs: PICTURE_TIMEOUT_MS.alone }),
    icons: createTokenIcons({
      trustedOrigins: [vars.JUPITER_URL, vars.DEXSCREENER_URL].map((url) => new URL(url).origin),
      ownOrigin: vars.APP_ORIGIN,
    }),
    cache: createImageCache({ clock }),
    sealedUrls,
    entitlement,
  });
}

function createWalletServices(
  { vars, db, live, clock, chain, leases }: Base,
  tokens: ReturnType<typeof createPricesService>,
) {
  const wallets = createWalletsService({
    repository: createWalletsRepository(db),
    live,
    clock,
    appOrigin: vars.APP_ORIGIN,
  });
  const listProven = async (userId: string) => {
    const saved = await wallets.list(userId);
    return saved.filter(({ isProven }) => isProven).map(({ walletAddress }) => walletAddress);
  };
  return {
    wallets,
    holdings: createHoldingsService({ wallets: { listProven }, chain, tokens }),
    callHoldings: createCallHoldingsService({
      repository: createCallHoldingsRepository(db),
      chain,
      leases,
      clock,
    }),
  };
}

type SubscriptionsService = ReturnType<typeof createSubscriptionsService>;

interface PaymentParts {
  readonly subscriptions: SubscriptionsService;
  readonly env: Pick<Bindings, 'REBROADCASTER' | 'BACKUPS'>;
}

function createPaymentServices(base: Base, { subscriptions, env }: PaymentParts) {
  const { vars, db, clock, chain, explorerUrl, alarm } = base;
  const protocol = {
    intents: createIntentsRepository(db),
    broadcasts: createBroadcastsRepository(db),
    ledger: createLedgerRepository(db),
    chain,
    live: base.live,
    clock,
    platformAddress: vars.PLATFORM_WALLET,
    signaturesPerRequest: vars.SOLANA_SIGNATURES_PER_REQUEST,
  };
  const timer = createTimer(env.REBROADCASTER);
  const payments: PaymentsService = createPaymentsService({
    ...protocol,
    subscriptions,
    terms: base.terms,
    timer,
    backups: createPaymentBackups({ db, bucket: env.BACKUPS, lifetime: requestLifetime }),
  });
  return {
    payments,
    ledgerCheck: createLedgerCheckService({
      ...protocol,
      checks: createLedgerChecksRepository(db),
      leases: base.leases,
      alarm,
    }),
    receipts: createReceiptsService({
      repository: createReceiptsRepository(db),
      callers: base.callerGuard,
      clock,
      explorerUrl,
    }),
    reconciliation: createReconcileService({ ...protocol, alarm }),
    paymentMetrics: createPaymentMetrics({ db, leases: base.leases, metrics: base.metrics }),
    rebroadcast: createRebroadcastService({ ...protocol, timer }),
    endpointWatch: createEndpointWatchService({
      chain,
      outages: createEndpointOutagesRepository(db),
      clock,
      alarm,
    }),
  };
}

function createLogServices(
  { vars, db, leases, alarmDaily, clock, logKey: key }: Base,
  env: Pick<Bindings, 'BACKUPS'>,
) {
  const repository = createLogRepository(db);
  const logWitnesses = createWitnessesService({
    witnesses: vars.LOG_WITNESSES,
    repository: createWitnessesRepository(db),
    log: repository,
    port: witnessClient,
    leases,
    clock,
  });
  return {
    logWitnesses,
    log: createLogService({ repository, key, bucket: env.BACKUPS, witnesses: logWitnesses }),
    logRecords: createRecordService({
      repository,
      records: createRecordRepository(db),
      anchors: createAnchorsRepository(db),
    }),
    logSequencer: createSequencerService({ repository, key, bucket: env.BACKUPS, alarmDaily, clock }),
    logImport: createLogImportService({ repository: createLogImportRepository(db), leases, clock }),
  };
}

function createLogAnchors({ vars, db, chain, logKey, leases, alarmDaily, clock }: Base) {
  return createAnchorsService({
    repository: createAnchorsRepository(db),
    wallet: createAnchorWallet(vars.LOG_ANCHOR_KEY),
    origin: logKey.name,
    chain,
    leases,
    alarmDaily,
    clock,
  });
}

function createOperationServices({ db, clock, leases, alarm, attempts, metrics }: Base, env: Bindings) {
  const jobRuns = createJobRunsRepository(db);
  return {
    alarm,
    attempts,
    jobRuns,
    health: createHealthService({ runs: jobRuns, outages: createEndpointOutagesRepository(db), clock }),
    metrics,
    backupExport: createBackupService({
      repository: createBackupRepository(db),
      bucket: env.BACKUPS,
      leases,
      clock,
      alarm,
    }),
    cronWatch: { cronRan: () => env.CRON_WATCH.getByName(CRON_WATCH_NAME).cronRan() },
  };
}

/** A request waits at most this long for the timer. */
const TIMER_TIMEOUT_MS = 2 * SECOND_MS;

const createTimer = (rebroadcaster: Bindings['REBROADCASTER']): RebroadcastTimer => ({
  async wakeAt(at) {
    try {
      // Get a new stub each time, because a stub can't be reused in another request.
      await withTimeout(rebroadcaster.getByName(REBROADCASTER_NAME).wakeAt(at), TIMER_TIMEOUT_MS);
    } catch (error) {
      console.warn(JSON.stringify({ event: 'rebroadcaster.unreachable', error: describeError(error) }));
    }
  },
});

interface XParts {
  readonly calls: ReturnType<typeof createCallsService>;
  readonly callers: ReturnType<typeof createCallersService>;
  readonly newDevices: ReturnType<typeof createNewDevicesService>;
}

interface MessageParts {
  readonly env: Pick<Bindings, 'SENDER' | 'PUSH_SENDER'>;
  readonly calls: ReturnType<typeof createCallsService>;
  readonly subscriptions: SubscriptionsService;
}

function createMessageServices(base: Base, { env, calls, subscriptions }: MessageParts) {
  const { vars, db, clock, messenger } = base;
  const outbox = createOutbox(env);
  const notices = { outbox, live: base.live, clock, appOrigin: vars.APP_ORIGIN };
  const callEvents = createCallEventsService({
    ...notices,
    repository: createCallEventsRepository(db),
    callers: base.callerGuard,
  });
  const renewals = createRenewalsService({
    ...notices,
    repository: createRenewalsRepository(db),
    leases: base.leases,
  });
  const payoutChanges = createPayoutChangesService({
    ...notices,
    repository: createPayoutChangesRepository(db),
  });
  const newDevices = createNewDevicesService({ ...notices, repository: createNewDevicesRepository(db) });
  const paymentNotices = createPaymentNoticesService({
    ...notices,
    repository: createPaymentNoticesRepository(db),
  });
  const compose = (event: OutgoingEvent) => {
    switch (event.kind) {
      case 'call_event':
        return callEvents.compose(event);
      case 'own_level_hit':
        return callEvents.composeForCaller(event);
      case 'renewal':
        return renewals.compose(event);
      case 'payout_changed':
        return payoutChanges.compose(event);
      case 'new_device':
        return newDevices.compose(event);
      case 'payment_received':
        return paymentNotices.compose(event);
    }
  };
  return {
    outbox,
    callEvents,
    renewals,
    payoutChanges,
    newDevices,
    paymentNotices,
    callUpdates: createCallUpdatesService({
      repository: createCallUpdatesRepository(db),
      calls,
      notifications: callEvents,
      signReceipt: base.signReceipt,
      clock,
    }),
    notificationSettings: createNotificationSettingsService({
      repository: createNotificationSettingsRepository(db),
      clock,
    }),
    ...createChannels(base, { compose, listFollowers: callEvents.listFollowers, entitlement: subscriptions }),
    telegramLinks: createTelegramLinksService({
      repository: createTelegramLinksRepository(db),
      messenger,
      clock,
      appOrigin: vars.APP_ORIGIN,
      webhookSecret: vars.TELEGRAM_WEBHOOK_SECRET,
    }),
  };
}

/** Each event goes to the senders of both channels. */
function createOutbox({ SENDER, PUSH_SENDER }: MessageParts['env']): Outbox {
  // Get a new stub each time, because a stub can't be reused in another request.
  const all = () => [SENDER, PUSH_SENDER].map((sender) => sender.getByName(SENDER_NAME));
  return {
    add: async (events) => void (await Promise.all(all().map((sender) => sender.add(events)))),
    resend: async (ids) => void (await Promise.all(all().map((sender) => sender.resend(ids)))),
    wake: async () => {
      const [purged = 0] = await Promise.all(all().map((sender) => sender.wake()));
      return purged;
    },
  };
}

interface ChannelParts extends Pick<SenderOptions, 'entitlement'> {
  readonly compose: SenderOptions['events']['compose'];
  readonly listFollowers: ReturnType<typeof createCallEventsService>['listFollowers'];
}

/** The senders of both channels, and the browsers that get notifications. */
function createChannels(base: Base, { compose, listFollowers, entitlement }: ChannelParts) {
  const { vars, db, clock, messenger, alarm } = base;
  const repository = createPushRepository(db);
  const services = vars.PUSH_SERVICES;
  const vapid = createVapid({ key: vars.VAPID_KEY, subject: vars.APP_ORIGIN, clock });
  const defaultUrl = `${vars.APP_ORIGIN}/dashboard`;
  const channels = {
    telegram: { repository: createDeliveriesRepository(db), messenger, perSecond: MESSAGES_PER_SECOND },
    push: {
      repository: createPushDeliveriesRepository(db, toAddress),
      messenger: createWebPush({ vapid, services, defaultUrl, forget: repository.forget, clock }),
      perSecond: PUSHES_PER_SECOND,
    },
  };
  return {
    push: createPushService({ repository, vapid, services, isKey: isPushKey, clock }),
    openSender: (channel: Channel, { sql, setAlarm }: SenderStorage) =>
      createSender({
        ...base,
        ...channels[channel],
        channel,
        store: createOutboxStore(sql),
        events: { compose, listFollowers: (query) => listFollowers({ ...query, channel }) },
        entitlement,
        alarmOperators: ({ kind, details }) => alarm({ kind, details: { ...details, channel } }),
        setAlarm,
      }),
  };
}

function createXServices(base: Base, { calls, callers, newDevices }: XParts) {
  const { vars, db, clock } = base;
  const x = {
    authorizeUrl: vars.X_AUTHORIZE_URL,
    apiUrl: vars.X_API_URL,
    clientId: vars.X_CLIENT_ID,
    clientSecret: vars.X_CLIENT_SECRET,
    callbackUrl: `${vars.APP_ORIGIN}/api/auth/twitter/callback`,
  };
  const pictures = createXPictures({
    baseUrl: vars.X_PICTURES_URL,
    timeoutMs: PICTURE_TIMEOUT_MS.onCard,
  });
  const shareImages = createShareImageService({
    calls,
    callers,
    pictures: {
      fetchOf: async (callerId) => pictures.fetch(await base.images.findCallerPicture(callerId)),
    },
  });
  return {
    auth: createAuthService({
      repository: createAuthRepository(db),
      identityProvider: createXIdentityProvider(x),
      newDevices,
      clock,
    }),
    shareImages,
    shares: createSharesService({
      repository: createSharesRepository(db),
      callers: base.callerGuard,
      images: shareImages,
      poster: createXTweetPoster({ ...x, clock }),
      cipher: createTokenCipher(vars.X_TOKENS_KEY),
      clock,
    }),
  };
}
