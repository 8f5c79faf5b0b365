import { Hono, type Context } from 'hono';
import { z } from 'zod';
import type { Chain } from '../chain/chain.ts';
import { addedTokenSchema, pinSchema, type Market } from '../market/market.ts';
import type { RequestLimit } from '../market/request-limit.ts';
import type { Telegram } from '../telegram/telegram.ts';
import { createTelegramControls } from '../telegram/telegram-controls.ts';
import type { createWebhookReceiver } from '../webhooks/webhook-receiver.ts';
import type { PushService } from '../push/push-service.ts';
import type { Witness } from '../../witness/witness.ts';
import type { Credits } from '../x/credits.ts';
import type { Tweets } from '../x/tweets.ts';
import type { People } from '../x/people-register.ts';
import { faultSchema, services, type Faults } from './faults.ts';
import type { RequestLog } from './request-log.ts';
import { refuseOtherOrigins } from './same-origin.ts';
import { withBody } from './with-body.ts';

export type ChainControls = Pick<
  Chain,
  | 'expireBlockhash'
  | 'finalize'
  | 'forget'
  | 'setLoad'
  | 'setSlotMs'
  | 'airdrop'
  | 'makeUnreadable'
  | 'makeAllReadable'
>;

interface ControlOptions {
  market: Market;
  jupiterLimit: RequestLimit;
  faults: Faults;
  requests: RequestLog;
  tweets: Tweets;
  credits: Credits;
  people: People;
  telegram: Telegram;
  chain: ChainControls;
  witness: Pick<Witness, 'forget'>;
  push: PushService;
  webhooks: ReturnType<typeof createWebhookReceiver>;
}

const MAX_PINS = 20_000;
const pricesBody = z.union([pinSchema, z.array(pinSchema).max(MAX_PINS)]);

const tokensBody = z.array(addedTokenSchema).max(MAX_PINS);
const rateLimitBody = z.strictObject({ limit: z.int().min(0), windowMs: z.int().min(1000).default(60_000) });

const handle = z.string().trim().min(1);
const accountBody = z.strictObject({ handle, fields: z.record(z.string(), z.string()) });
const accountBlockBody = z.strictObject({ handle, block: z.enum(['suspended', 'locked']).nullable() });
const pushStatusBody = z.strictObject({ endpoint: z.url(), status: z.int().min(400).max(599).nullable() });
const pushLimitBody = z.strictObject({ count: z.int().min(0), retryAfterSeconds: z.int().min(1) });
const creditsBody = z.strictObject({
  usd: z.number().min(0),
  of: z.enum(['credits', 'spending_limit']).default('credits'),
});
const renameBody = z.strictObject({ handle, newHandle: handle });
const signatureBody = z.strictObject({ signature: z.string().min(1) });
const unreadableBody = signatureBody.extend({ isReturned: z.boolean().optional() });
const airdropBody = z.strictObject({ address: z.string().min(32), lamports: z.int().positive() });
const slotBody = z.strictObject({ slotMs: z.int().min(50).max(1_000) });
const loadBody = z.strictObject({ microLamports: z.int().min(1) });

export function createControlRoutes(options: ControlOptions): Hono {
  const { market, jupiterLimit, credits, chain, witness, webhooks, telegram } = options;
  return new Hono()
    .use(refuseOtherOrigins())
    .delete('/', (c) =>
      done(c, () => {
        market.unpinAll();
        market.removeAdded();
        jupiterLimit.reset();
        telegram.limits.reset();
        credits.reset();
        for (const part of ['faults', 'requests', 'push', 'webhooks'] as const) {
          options[part].clear();
        }
        chain.setLoad(0n);
        chain.makeAllReadable();
        chain.setSlotMs();
        witness.forget();
      }),
    )
    .delete('/witness', (c) => done(c, () => witness.forget()))
    .route('/', createPriceControls(options))
    .route('/', createFaultControls(options))
    .route('/', createXControls(options))
    .route('/', createTelegramControls(options))
    .route('/push', createPushControls(options))
    .route('/webhooks', webhooks.controls)
    .route('/solana', createSolanaControls(options));
}

function createPriceControls({ market, jupiterLimit }: ControlOptions): Hono {
  return new Hono()
    .post('/prices', (c) =>
      withBody(c, pricesBody, (body) => done(c, () => [body].flat().forEach((pin) => market.pin(pin)))),
    )
    .delete('/prices', (c) => done(c, () => market.unpinAll()))
    .post('/tokens', (c) => withBody(c, tokensBody, (body) => done(c, () => market.add(body))))
    .delete('/tokens', (c) => done(c, () => market.removeAdded()))
    .post('/jupiter/rate-limit', (c) =>
      withBody(c, rateLimitBody, (body) => done(c, () => jupiterLimit.set(body))),
    )
    .delete('/jupiter/rate-limit', (c) => done(c, () => jupiterLimit.reset()));
}

function createFaultControls({ faults, requests }: ControlOptions): Hono {
  return new Hono()
    .get('/requests', (c) => {
      const service = z.enum(services).optional().safeParse(c.req.query('service'));
      return service.success
        ? c.json(requests.read(service.data))
        : c.json({ error: `A service is one of ${services.join(', ')}.` }, 400);
    })
    .delete('/requests', (c) => done(c, () => requests.clear()))
    .post('/faults', (c) => withBody(c, faultSchema, (body) => done(c, () => faults.add(body))))
    .get('/faults', (c) => c.json(faults.list()))
    .get('/faults/struck', (c) => c.json(faults.struck()))
    .delete('/faults', (c) => done(c, () => faults.clear()));
}

function createXControls({ tweets, credits, people }: ControlOptions): Hono {
  return new Hono()
    .get('/tweets', (c) => c.json(tweets.list()))
    .post('/x/credits', (c) => withBody(c, creditsBody, (body) => done(c, () => credits.set(body))))
    .post('/x/refuse-client', (c) => done(c, () => credits.refuseClient()))
    .delete('/x/credits', (c) => done(c, () => credits.reset()))
    .post('/x/account-block', (c) =>
      withBody(c, accountBlockBody, (body) => done(c, () => people.setAccountBlock(body))),
    )
    .post('/x/account', (c) => withBody(c, accountBody, (body) => done(c, () => people.setSentFields(body))))
    .post('/x/rename', (c) =>
      withBody(c, renameBody, ({ handle: from, newHandle }) => {
        const person = people.rename({ handle: from, newHandle });
        return person === undefined
          ? c.json({ error: `No person has the handle ${from}, or ${newHandle} is taken.` }, 404)
          : c.json(person);
      }),
    );
}

function createPushControls({ push }: ControlOptions): Hono {
  return new Hono()
    .post('/browsers', async (c) => {
      const { id, keys } = await push.subscribe();
      return c.json({ endpoint: new URL(`/push/${id}`, c.req.url).href, keys });
    })
    .post('/status', (c) =>
      withBody(c, pushStatusBody, ({ endpoint, status }) =>
        push.setStatus(endpoint.split('/').at(-1) ?? '', status)
          ? c.json({ ok: true })
          : c.json({ error: 'No such browser.' }, 404),
      ),
    )
    .post('/limit', (c) => withBody(c, pushLimitBody, (body) => done(c, () => push.limitNext(body))))
    .get('/messages', (c) => c.json(push.list()));
}

function createSolanaControls({ chain }: ControlOptions): Hono {
  return new Hono()
    .post('/load', (c) =>
      withBody(c, loadBody, ({ microLamports }) => done(c, () => chain.setLoad(BigInt(microLamports)))),
    )
    .delete('/load', (c) => done(c, () => chain.setLoad(0n)))
    .post('/slot-ms', (c) => withBody(c, slotBody, ({ slotMs }) => done(c, () => chain.setSlotMs(slotMs))))
    .delete('/slot-ms', (c) => done(c, () => chain.setSlotMs()))
    .post('/expire-blockhash', (c) => done(c, () => chain.expireBlockhash()))
    .post('/finalize', (c) => done(c, () => chain.finalize()))
    .post('/forget', (c) =>
      withBody(c, signatureBody, ({ signature }) => done(c, () => chain.forget(signature))),
    )
    .post('/unreadable', (c) =>
      withBody(c, unreadableBody, ({ signature, isReturned }) =>
        done(c, () => chain.makeUnreadable(signature, isReturned)),
      ),
    )
    .delete('/unreadable', (c) => done(c, () => chain.makeAllReadable()))
    .post('/airdrop', (c) =>
      withBody(c, airdropBody, ({ address, lamports }) =>
        c.json({ signature: chain.airdrop(address, BigInt(lamports)) }),
      ),
    );
}

function done(context: Context, act: () => void): Response {
  act();
  return context.json({ ok: true });
}
