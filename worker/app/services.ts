import { CALL_ATTEMPTS, SECOND_MS, TOKEN_SEARCHES } from '#schema/constants.ts';
import { createDexscreener } from '../adapters/dexscreener.ts';
import { createImageCache } from '../adapters/image-cache.ts';
import { createJupiter } from '../adapters/jupiter.ts';
import { requestLifetime } from '../adapters/request-lifetime.ts';
import { createSolanaRpc } from '../adapters/solana-rpc.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { createTelegramBot } from '../adapters/telegram-bot.ts';
import { createTokenIcons } from '../adapters/token-icons.ts';
import { createXIdentityProvider } from '../adapters/x-api.ts';
import { createXPictures, PICTURE_TIMEOUT_MS } from '../adapters/x-pictures.ts';
import { createXTweetPoster } from '../adapters/x-tweets.ts';
import { createAuthRepository } from '../modules/auth/auth.repository.ts';
import { createAuthService } from '../modules/auth/auth.service.ts';
import { createSessionsRepository } from '../modules/auth/sessions.repository.ts';
import { createSessionsService } from '../modules/auth/sessions.service.ts';
import { createCallersRepository } from '../modules/callers/callers.repository.ts';
import { createCallersService } from '../modules/callers/callers.service.ts';
import { createDirectoryRepository } from '../modules/callers/directory.repository.ts';
import { createLookAlikesRepository } from '../modules/callers/look-alikes.repository.ts';
import { createAutomaticEndsRepository } from '../modules/calls/automatic-ends.repository.ts';
import { createAutomaticEndsService } from '../modules/calls/automatic-ends.service.ts';
import { createCallDetailsRepository } from '../modules/calls/call-details.repository.ts';
import {
  createCallLevelsRepository,
  type CallLevelsRepository,
} from '../modules/calls/call-levels.repository.ts';
import { createCallLevelsService } from '../modules/calls/call-levels.service.ts';
import { createCallDetailsService } from '../modules/calls/call-details.service.ts';
import { createCallStatisticsRepository } from '../modules/calls/call-statistics.repository.ts';
import { createEndCall } from '../modules/calls/end-call.ts';
import { createCallsRepository, type CallsRepository } from '../modules/calls/calls.repository.ts';
import { createCallsService } from '../modules/calls/calls.service.ts';
import { createStatisticsRepairService } from '../modules/calls/statistics-repair.service.ts';
import { createDeliveriesRepository } from '../modules/delivery/deliveries.repository.ts';
import { createOutboxStore } from '../modules/delivery/outbox.ts';
import { createSender } from '../modules/delivery/sender.ts';
import type { SenderOptions } from '../modules/delivery/sender-options.ts';
import { createHoldingsService } from '../modules/holdings/holdings.service.ts';
import { createImagesRepository } from '../modules/images/images.repository.ts';
import { createImagesService } from '../modules/images/images.service.ts';
import { createSealedUrls, withIconPaths } from '../modules/images/sealed-urls.ts';
import { createCallEventsRepository } from '../modules/notifications/call-events.repository.ts';
import { createCallEventsService } from '../modules/notifications/call-events.service.ts';
import { createCallUpdatesRepository } from '../modules/notifications/call-updates.repository.ts';
import { createCallUpdatesService } from '../modules/notifications/call-updates.service.ts';
import { createNewDevicesRepository } from '../modules/notifications/new-devices.repository.ts';
import { createNewDevicesService } from '../modules/notifications/new-devices.service.ts';
import { createNotificationSettingsRepository } from '../modules/notifications/notification-settings.repository.ts';
import { createNotificationSettingsService } from '../modules/notifications/notification-settings.service.ts';
import { createPaymentNoticesRepository } from '../modules/notifications/payment-notices.repository.ts';
import { createPaymentNoticesService } from '../modules/notifications/payment-notices.service.ts';
import { createPayoutChangesRepository } from '../modules/notifications/payout-changes.repository.ts';
import { createPayoutChangesService } from '../modules/notifications/payout-changes.service.ts';
import { createRenewalsRepository } from '../modules/notifications/renewals.repository.ts';
import { createRenewalsService } from '../modules/notifications/renewals.service.ts';
import { createTelegramLinksRepository } from '../modules/telegram/telegram-links.repository.ts';
import { createTelegramLinksService } from '../modules/telegram/telegram-links.service.ts';
import { createPagesService, type PagesOptions } from '../modules/pages/pages.service.ts';
import { createSitemapRepository } from '../modules/pages/sitemap.repository.ts';
import { createSitemapService } from '../modules/pages/sitemap.service.ts';
import { createBroadcastsRepository } from '../modules/payments/broadcasts.repository.ts';
import { createEndpointOutagesRepository } from '../modules/payments/endpoint-outages.repository.ts';
import { createEndpointWatchService } from '../modules/payments/endpoint-watch.service.ts';
import { createIntentsRepository } from '../modules/payments/intents.repository.ts';
import { createLedgerCheckService } from '../modules/payments/ledger-check.service.ts';
import { createLedgerChecksRepository } from '../modules/payments/ledger-checks.repository.ts';
import { createLedgerRepository } from '../modules/payments/ledger.repository.ts';
import { createReconcileService } from '../modules/payments/reconcile.service.ts';
import { createPaymentsService, type PaymentsService } from '../modules/payments/payments.service.ts';
import { createRebroadcastService } from '../modules/payments/rebroadcast.service.ts';
import { createReceiptsRepository } from '../modules/payments/receipts.repository.ts';
import { createReceiptsService } from '../modules/payments/receipts.service.ts';
import {
  createActiveMintsRepository,
  createMintsWithSol,
} from '../modules/prices/active-mints.repository.ts';
import { createPriceClosesRepository } from '../modules/prices/price-closes.repository.ts';
import { createPriceClosesService } from '../modules/prices/price-closes.service.ts';
import { createPriceRefreshService } from '../modules/prices/price-refresh.service.ts';
import { createPriceShardsRepository } from '../modules/prices/price-shards.repository.ts';
import { createPublicMintsRepository } from '../modules/prices/public-mints.repository.ts';
import { createPriceStore } from '../modules/prices/price-store.ts';
import { createUnpricedMintsRepository } from '../modules/prices/unpriced-mints.repository.ts';
import { createTokenSearch } from '../modules/prices/token-search.ts';
import { createPricesService } from '../modules/prices/prices.service.ts';
import { createSlotReader } from '../modules/prices/chain-slot.ts';
import { createShareImageService } from '../modules/shares/share-image.service.ts';
import { createSharesRepository } from '../modules/shares/shares.repository.ts';
import { createSharesService } from '../modules/shares/shares.service.ts';
import { createTokenCipher } from '../modules/shares/token-cipher.ts';
import { createSubscriptionsRepository } from '../modules/subscriptions/subscriptions.repository.ts';
import { createSubscriptionsService } from '../modules/subscriptions/subscriptions.service.ts';
import { createNotACallerError } from '../modules/users/users.errors.ts';
import { createUsersRepository } from '../modules/users/users.repository.ts';
import { createUsersService } from '../modules/users/users.service.ts';
import { createWalletsRepository } from '../modules/wallets/wallets.repository.ts';
import { createWalletsService } from '../modules/wallets/wallets.service.ts';
import type { Clock } from '../ports/clock.ts';
import type { RenderPage } from '../ports/page-renderer.ts';
import type { Outbox, OutgoingEvent } from '../ports/outbox.ts';
import type { RebroadcastTimer } from '../ports/rebroadcast-timer.ts';
import { createAlarm } from '../shared/alarms.ts';
import { createAttempts } from '../shared/attempts.ts';
import { createDatabase } from '../shared/database.ts';
import { createCookies } from './cookies.ts';
import { parseVars, REBROADCASTER_NAME, SENDER_NAME, type Bindings } from './env.ts';
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
  const base = createBase({ vars, db, clock, random });
  const levels = createCallLevelsRepository(db);
  const { closesRepository, prices, ...priceJobs } = createPriceServices(base, env, {
    calls: callsRepository,
    levels,
  });
  const subscriptions = createSubscriptionsService({
    repository: createSubscriptionsRepository(db),
    followedCalls: { ...prices, listOfCallers: (query) => calls.listOfCallers(query) },
    clock,
    explorerUrl: base.explorerUrl,
  });
  const calls = createCallsService({
    repository: callsRepository,
    quotes: prices,
    attempts: {
      take: (userId) => base.attempts.take({ action: 'calls.price', person: userId, limit: CALL_ATTEMPTS }),
    },
    entitlement: { ...subscriptions, ...base.callerGuard },
    events: { notifySoon: (event) => messages.callEvents.notifySoon(event) },
    clock,
  });
  const callDetails = createCallDetailsService({
    repository: createCallDetailsRepository(db),
    calls: callsRepository,
    closes: closesRepository,
    prices,
    entitlement: subscriptions,
    clock,
  });
  const callers = createCallers(base, prices);
  const paymentServices = createPaymentServices(base, {
    subscriptions,
    rebroadcaster: env.REBROADCASTER,
  });
  const messages = createMessageServices(base, { sender: env.SENDER, calls, subscriptions });
  return {
    ...paymentServices,
    ...messages,
    ...createWalletServices(base, prices),
    ...createXServices(base, { calls, callers, newDevices: messages.newDevices }),
    images: createImages(base, subscriptions),
    attempts: base.attempts,
    automaticEnds: createAutomaticEndsService({
      repository: createAutomaticEndsRepository(db),
      quotes: prices,
      endCall: createEndCall({ repository: callsRepository, clock }),
      leases: base.leases,
      clock,
    }),
    callers,
    calls,
    callDetails,
    callLevels: createCallLevelsService({ repository: levels, quotes: prices, leases: base.leases, clock }),
    cookies: createCookies({ appOrigin: vars.APP_ORIGIN }),
    pages: createPages(base, { callers, calls, callDetails, prices, renderPage }),
    prices,
    ...priceJobs,
    sessions: createSessionsService({ repository: createSessionsRepository(db), clock }),
    sitemap: createSitemapService({ repository: createSitemapRepository(db), appOrigin: vars.APP_ORIGIN }),
    statisticsRepair: createStatisticsRepairService({
      repository: createCallStatisticsRepository(db),
      leases: base.leases,
    }),
    subscriptions,
    users: createUsersService({ repository: base.users, feeGuard: paymentServices.payments, clock }),
  };
}

interface Environment extends Required<Pick<ServicesOptions, 'clock' | 'random'>> {
  readonly vars: ReturnType<typeof parseVars>;
  readonly db: ReturnType<typeof createDatabase>;
}

type Base = ReturnType<typeof createBase>;

function createBase({ vars, db, clock, random }: Environment) {
  const chain = createSolanaRpc({
    urls: { primary: vars.SOLANA_RPC_URL, fallback: vars.SOLANA_FALLBACK_RPC_URL },
    genesisHash: vars.SOLANA_GENESIS_HASH,
    clock,
    random,
  });
  const messenger = createTelegramBot({
    apiUrl: vars.TELEGRAM_API_URL,
    linkUrl: vars.TELEGRAM_LINK_URL,
    username: vars.TELEGRAM_BOT_USERNAME,
    token: vars.TELEGRAM_BOT_TOKEN,
  });
  const users = createUsersRepository(db);
  return {
    vars,
    db,
    clock,
    chain,
    messenger,
    users,
    images: createImagesRepository(db),
    sealedUrls: createSealedUrls(vars.X_TOKENS_KEY),
    callerGuard: {
      async assertIsCaller(userId: string): Promise<void> {
        if (!(await users.findUser(userId))?.caller) throw createNotACallerError();
      },
    },
    attempts: createAttempts({ db, clock }),
    leases: createJobLeases({ db, clock }),
    explorerUrl: createExplorerUrl(vars.EXPLORER_TX_URL),
    alarm: createAlarm({ messenger, chatId: vars.OPERATOR_CHAT_ID }),
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

function createPages({ vars, clock }: Base, services: Omit<PagesOptions, 'clock' | 'appOrigin'>) {
  return createPagesService({ ...services, clock, appOrigin: vars.APP_ORIGIN });
}

interface PricedCalls {
  readonly calls: CallsRepository;
  readonly levels: CallLevelsRepository;
}

function createPriceServices(base: Base, env: Bindings, { calls, levels }: PricedCalls) {
  const { vars, db, clock, chain, leases } = base;
  const sources = [
    createJupiter({ baseUrl: vars.JUPITER_URL, apiKey: vars.JUPITER_API_KEY, clock }),
    createDexscreener({ baseUrl: vars.DEXSCREENER_URL, clock }),
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
  { vars, db, clock, chain }: Base,
  tokens: ReturnType<typeof createPricesService>,
) {
  const wallets = createWalletsService({
    repository: createWalletsRepository(db),
    clock,
    appOrigin: vars.APP_ORIGIN,
  });
  const listProven = async (userId: string) => {
    const saved = await wallets.list(userId);
    return saved.filter(({ isProven }) => isProven).map(({ walletAddress }) => walletAddress);
  };
  return { wallets, holdings: createHoldingsService({ wallets: { listProven }, chain, tokens }) };
}

type SubscriptionsService = ReturnType<typeof createSubscriptionsService>;

interface PaymentParts {
  readonly subscriptions: SubscriptionsService;
  readonly rebroadcaster: Bindings['REBROADCASTER'];
}

function createPaymentServices(base: Base, { subscriptions, rebroadcaster }: PaymentParts) {
  const { vars, db, clock, chain, explorerUrl, alarm } = base;
  const protocol = {
    intents: createIntentsRepository(db),
    broadcasts: createBroadcastsRepository(db),
    ledger: createLedgerRepository(db),
    chain,
    clock,
    platformAddress: vars.PLATFORM_WALLET,
  };
  const timer = createTimer(rebroadcaster);
  const payments: PaymentsService = createPaymentsService({ ...protocol, subscriptions, timer });
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
    rebroadcast: createRebroadcastService({ ...protocol, timer }),
    endpointWatch: createEndpointWatchService({
      chain,
      outages: createEndpointOutagesRepository(db),
      clock,
      alarm,
    }),
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
  readonly sender: Bindings['SENDER'];
  readonly calls: ReturnType<typeof createCallsService>;
  readonly subscriptions: SubscriptionsService;
}

function createMessageServices(base: Base, { sender, calls, subscriptions }: MessageParts) {
  const { vars, db, clock, messenger, alarm } = base;
  // Get a new stub each time, because a stub can't be reused in another request.
  const outbox: Outbox = {
    add: (events) => sender.getByName(SENDER_NAME).add(events),
    wake: () => sender.getByName(SENDER_NAME).wake(),
  };
  const notices = { outbox, clock, appOrigin: vars.APP_ORIGIN };
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
      clock,
    }),
    notificationSettings: createNotificationSettingsService({
      repository: createNotificationSettingsRepository(db),
      clock,
    }),
    openSender: ({ sql, setAlarm }: SenderStorage) =>
      createSender({
        store: createOutboxStore(sql),
        repository: createDeliveriesRepository(db),
        events: { compose, listFollowers: callEvents.listFollowers },
        entitlement: subscriptions,
        messenger,
        alarmOperators: alarm,
        setAlarm,
        clock,
      }),
    telegramLinks: createTelegramLinksService({
      repository: createTelegramLinksRepository(db),
      messenger,
      clock,
      appOrigin: vars.APP_ORIGIN,
      webhookSecret: vars.TELEGRAM_WEBHOOK_SECRET,
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
