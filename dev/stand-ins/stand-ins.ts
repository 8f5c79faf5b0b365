import { join } from 'node:path';
import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import type { Chain } from './chain/chain.ts';
import type { SlotClock } from './chain/slot-clock.ts';
import { readScale } from './chain/token-account.ts';
import { createControlRoutes, type ChainControls } from './controls/control-routes.ts';
import { applyFaults } from './controls/fault-middleware.ts';
import { createFaults } from './controls/faults.ts';
import { createRequestLog, logRequests } from './controls/request-log.ts';
import { createDexScreenerRoutes } from './dexscreener/dexscreener-routes.ts';
import { createJupiterRoutes } from './jupiter/jupiter-routes.ts';
import { listen } from './listen.ts';
import { createMarket } from './market/market.ts';
import { createRequestLimit } from './market/request-limit.ts';
import { createBotRoutes } from './telegram/api/bot-routes.ts';
import { createChatRoutes } from './telegram/page/chat-routes.ts';
import { localBot, localWebhookSecret } from './telegram/local-bot.ts';
import { openTelegram } from './telegram/telegram.ts';
import { createPushRoutes } from './push/push-routes.ts';
import { createPushService } from './push/push-service.ts';
import { createWebhookReceiver } from './webhooks/webhook-receiver.ts';
import { localLogKey, localWitness } from '../witness/local-witness.ts';
import { createWitnessRoutes } from '../witness/witness-routes.ts';
import { openWitness } from '../witness/witness.ts';
import { createXApiRoutes } from './x/api-routes.ts';
import { createCredits } from './x/credits.ts';
import { openGrants } from './x/grants.ts';
import { createIntentRoutes } from './x/intent-routes.ts';
import { openMedia } from './x/media.ts';
import { createOAuthRoutes } from './x/oauth-routes.ts';
import { openPeople } from './x/people-register.ts';
import { createPublicXRoutes } from './x/public-routes.ts';
import { openTweets } from './x/tweets.ts';

export interface StandInsAppOptions {
  /** Unix ms. */
  now: () => number;
  dataDir: string;
  chain: ChainControls & Pick<Chain, 'account'> & { clock: Pick<SlotClock, 'slotAt'> };
  /** The product's base URL, for its Telegram webhook and X callback. */
  productUrl: string;
  /** Without rate limits of Telegram, Jupiter and DexScreener, until a test sets one. */
  liftsRateLimits?: boolean;
}

export interface StandInsOptions extends StandInsAppOptions {
  /** The port; 0 picks a free one. */
  port: number;
}

export type StandIns = Awaited<ReturnType<typeof startStandIns>>;

/**
 * Starts the local X, Telegram, Jupiter, DexScreener, push service and witness of the log, and the API that controls
 * them. Rejects with `EADDRINUSE` when the port is taken.
 */
export async function startStandIns({ port, ...options }: StandInsOptions) {
  const { app, faults, close } = createStandInsApp(options);
  const server = await listen(app, port);
  return {
    url: server.url,
    /** Returns the fault for a request to the local Solana, after the fault's delay. */
    fault: faults.apply,
    async close() {
      close();
      await server.close();
    },
  };
}

/** The stand-ins without a port. */
export function createStandInsApp({ chain, ...options }: StandInsAppOptions) {
  const { now, productUrl, liftsRateLimits = false } = options;
  const faults = createFaults();
  const requests = createRequestLog();
  const market = createMarket({
    now,
    slotAt: (unixMs) => chain.clock.slotAt(unixMs),
    scaleOf: (mint) => readScale(chain.account(mint)),
  });
  const jupiterLimit = createRequestLimit({ now, isLifted: liftsRateLimits });
  const dexscreenerLimit = createRequestLimit({ now, isLifted: liftsRateLimits });
  const stored = openStored({ ...options, liftsRateLimits });
  const { people, grants, tweets, credits, media, telegram, witness, push } = stored;
  const webhooks = createWebhookReceiver();

  const app = new Hono<{ Bindings: HttpBindings }>()
    .use(logRequests(requests))
    .use(applyFaults(faults))
    .route(
      '/_control',
      createControlRoutes({ ...stored, market, jupiterLimit, faults, requests, chain, webhooks }),
    )
    // The OAuth routes come before the API, because all API routes require a token.
    .route('/x', createOAuthRoutes({ people, grants, credits, productUrl }))
    .route('/x', createXApiRoutes({ people, grants, media, tweets, credits, now }))
    .route('/x', createIntentRoutes({ people, tweets }))
    .route('/x', createPublicXRoutes({ people, media, tweets }))
    .route('/telegram', createBotRoutes({ telegram }))
    .route('/telegram', createChatRoutes({ telegram }))
    .route('/push', createPushRoutes({ push, now }))
    .route('/webhooks', webhooks.routes)
    .route('/jupiter', createJupiterRoutes({ market, limit: jupiterLimit }))
    .route('/dexscreener', createDexScreenerRoutes({ market, limit: dexscreenerLimit }))
    .route('/witness', createWitnessRoutes(witness));
  app.notFound((c) => c.json({ error: `The local world has nothing at ${c.req.method} ${c.req.path}` }, 404));
  app.onError((error, c) => {
    console.error(error);
    return c.json({ error: error.message }, 500);
  });

  return { app, faults, close: () => telegram.close() };
}

/** Opens the stored data of the local X, Telegram and witness. Browsers of the push service aren't stored. */
function openStored({
  dataDir,
  now,
  productUrl,
  liftsRateLimits,
}: Required<Omit<StandInsAppOptions, 'chain'>>) {
  const defaultWebhook = {
    url: new URL('/api/telegram/webhook', productUrl).href,
    secretToken: localWebhookSecret,
  };
  return {
    people: openPeople({ file: join(dataDir, 'x-people.json'), now }),
    grants: openGrants({ file: join(dataDir, 'x-tokens.json'), now }),
    tweets: openTweets({ file: join(dataDir, 'x-tweets.json'), now }),
    media: openMedia({ folder: join(dataDir, 'x-media'), now }),
    credits: createCredits(),
    push: createPushService(),
    telegram: openTelegram({
      file: join(dataDir, 'telegram.json'),
      photoFolder: join(dataDir, 'telegram-photos'),
      now,
      bot: localBot,
      defaultWebhook,
      liftsRateLimits,
    }),
    witness: openWitness({
      ...localWitness,
      logKeys: [localLogKey],
      file: join(dataDir, 'witness.json'),
      now,
    }),
  };
}
