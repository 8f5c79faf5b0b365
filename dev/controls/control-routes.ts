import { Hono, type Context } from 'hono';
import { z } from 'zod';
import type { RateLimit } from '../jupiter/rate-limit.ts';
import { priceSources, type Market } from '../market/market.ts';
import type { Chats } from '../telegram/chats.ts';
import type { SendLimits } from '../telegram/send-limits.ts';
import type { Tweets } from '../x/tweets.ts';
import type { People } from '../x/people-register.ts';
import { services, type Faults } from './faults.ts';
import type { RequestLog } from './request-log.ts';
import { refuseOtherOrigins } from './same-origin.ts';
import { withBody } from './with-body.ts';

export interface ChainControls {
  expireBlockhash(): void;
  forget(signature: string): void;
  airdrop(address: string, lamports: bigint): string;
}

interface ControlOptions {
  market: Market;
  jupiterLimit: RateLimit;
  faults: Faults;
  requests: RequestLog;
  tweets: Tweets;
  people: People;
  chats: Chats;
  sendLimits: SendLimits;
  chain: ChainControls | undefined;
}

const MAX_PINS = 20_000;
const MAX_CROWD = 50_000;
const pinBody = z.strictObject({
  mint: z.string().min(1),
  price: z.union([z.number(), z.string(), z.null()]),
  source: z.enum(priceSources).optional(),
  ageMs: z.int().min(0).optional(),
  liquidityUsd: z.number().min(0).nullable().optional(),
});
const pricesBody = z.union([pinBody, z.array(pinBody).max(MAX_PINS)]);

const tokensBody = z
  .array(z.strictObject({ mint: z.string(), symbol: z.string(), name: z.string(), sentUrl: z.string() }))
  .max(MAX_PINS);
const rateLimitBody = z.strictObject({ limit: z.int().min(0), windowMs: z.int().min(1000).default(60_000) });

const faultBody = z
  .strictObject({
    service: z.enum(services),
    status: z.int().min(400).max(599).optional(),
    delayMs: z.int().min(0).max(120_000).optional(),
    drop: z.boolean().optional(),
    dropAnswer: z.boolean().optional(),
    path: z.string().min(1).optional(),
    count: z.int().min(1).optional(),
  })
  .refine(
    (fault) =>
      fault.status !== undefined ||
      fault.delayMs !== undefined ||
      fault.drop === true ||
      fault.dropAnswer === true,
    {
      message: 'a fault needs a status, a delayMs, drop: true or dropAnswer: true',
    },
  )
  .refine((fault) => fault.dropAnswer !== true || fault.service.startsWith('solana'), {
    message: 'dropAnswer works only for Solana',
  });

const handle = z.string().trim().min(1);
const startBody = z.strictObject({ handle, payload: z.string().default('') });
const blockBody = z.strictObject({ handle, isBlocked: z.boolean() });
const sendLimitBody = z.strictObject({
  perSecond: z.int().min(0).optional(),
  tooManyShare: z.number().min(0).max(1).optional(),
  retryAfterSeconds: z.int().min(1).default(1),
});
const crowdBody = z.strictObject({
  count: z.int().min(1).max(MAX_CROWD),
  prefix: z
    .string()
    .regex(/^[A-Za-z0-9_]{1,24}$/, 'letters, digits and underscores')
    .default('crowd'),
  isBlocked: z.boolean().default(false),
});
const accountBody = z.strictObject({ handle, fields: z.record(z.string(), z.string()) });
const renameBody = z.strictObject({ handle, newHandle: handle });
const forgetBody = z.strictObject({ signature: z.string().min(1) });
const airdropBody = z.strictObject({ address: z.string().min(32), lamports: z.int().positive() });
const NO_CHAIN = { error: 'This local world runs without the Solana stand-in.' };

export function createControlRoutes(options: ControlOptions): Hono {
  const { market, jupiterLimit, faults, requests, sendLimits } = options;
  return new Hono()
    .use(refuseOtherOrigins())
    .delete('/', (c) =>
      done(c, () => {
        market.unpinAll();
        market.removeAdded();
        jupiterLimit.reset();
        faults.clear();
        requests.clear();
        sendLimits.clear();
      }),
    )
    .route('/', createPriceControls(options))
    .route('/', createFaultControls(options))
    .route('/', createXControls(options))
    .route('/', createTelegramControls(options))
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
    .post('/faults', (c) => withBody(c, faultBody, (body) => done(c, () => faults.add(body))))
    .get('/faults', (c) => c.json(faults.list()))
    .delete('/faults', (c) => done(c, () => faults.clear()));
}

function createXControls({ tweets, people }: ControlOptions): Hono {
  return new Hono()
    .get('/tweets', (c) => c.json(tweets.list()))
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

function createTelegramControls({ chats, sendLimits }: ControlOptions): Hono {
  return new Hono()
    .get('/messages', (c) => {
      const chatId = c.req.query('chatId');
      return c.json(chats.messages(chatId === undefined ? undefined : Number(chatId)));
    })
    .get('/messages/counts', (c) => c.json(chats.messageCounts()))
    .post('/telegram/chats', (c) =>
      withBody(c, crowdBody, (body) =>
        c.json(chats.openMany(body).map(({ id, handle: name }) => ({ chatId: id, handle: name }))),
      ),
    )
    .post('/telegram/send-limits', (c) =>
      withBody(c, sendLimitBody, (body) => done(c, () => sendLimits.set(body))),
    )
    .delete('/telegram/send-limits', (c) => done(c, () => sendLimits.clear()))
    .post('/telegram/start', (c) =>
      withBody(c, startBody, async (body) => c.json(await chats.pressStart(body))),
    )
    .post('/telegram/block', (c) =>
      withBody(c, blockBody, async (body) => c.json(await chats.setBlocked(body))),
    )
    .post('/telegram/retry', async (c) => c.json(await chats.deliverPending()));
}

function createSolanaControls({ chain }: ControlOptions): Hono {
  if (chain === undefined) return new Hono().all('/*', (c) => c.json(NO_CHAIN, 501));
  return new Hono()
    .post('/expire-blockhash', (c) => done(c, () => chain.expireBlockhash()))
    .post('/forget', (c) =>
      withBody(c, forgetBody, ({ signature }) => done(c, () => chain.forget(signature))),
    )
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
