import { Hono, type Context } from 'hono';
import { z } from 'zod';
import { priceSources, type Market } from '../market/market.ts';
import type { Chats } from '../telegram/chats.ts';
import type { Tweets } from '../x/tweets.ts';
import type { People } from '../x/people-register.ts';
import { services, type Faults } from './faults.ts';
import { refuseOtherOrigins } from './same-origin.ts';
import { withBody } from './with-body.ts';

/** The levers that a test pulls on the Solana stand-in. */
export interface ChainControls {
  expireBlockhash(): void;
  forget(signature: string): void;
  airdrop(address: string, lamports: bigint): string;
}

interface ControlOptions {
  market: Market;
  faults: Faults;
  tweets: Tweets;
  people: People;
  chats: Chats;
  chain: ChainControls | undefined;
}

const priceBody = z.strictObject({
  mint: z.string().min(1),
  price: z.union([z.number(), z.string(), z.null()]),
  source: z.enum(priceSources).optional(),
});

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
  .refine((fault) => fault.status !== undefined || fault.delayMs !== undefined || fault.drop === true || fault.dropAnswer === true, {
    message: 'a fault needs a status, a delayMs, drop: true or dropAnswer: true',
  })
  .refine((fault) => fault.dropAnswer !== true || fault.service.startsWith('solana'), {
    message: 'dropAnswer is for Solana alone',
  });

const handle = z.string().trim().min(1);
const startBody = z.strictObject({ handle, payload: z.string().default('') });
const blockBody = z.strictObject({ handle, isBlocked: z.boolean() });
const renameBody = z.strictObject({ handle, newHandle: handle });
const forgetBody = z.strictObject({ signature: z.string().min(1) });
const airdropBody = z.strictObject({ address: z.string().min(32), lamports: z.int().positive() });
const NO_CHAIN = { error: 'This local world runs without the Solana stand-in.' };

/** Creates `/_control`: how tests steer the local world. */
export function createControlRoutes({ market, faults, tweets, people, chats, chain }: ControlOptions): Hono {
  return new Hono()
    .use(refuseOtherOrigins())
    .post('/prices', (c) => withBody(c, priceBody, (body) => done(c, () => market.pin(body))))
    .delete('/prices', (c) => done(c, () => market.unpinAll()))
    .post('/faults', (c) => withBody(c, faultBody, (body) => done(c, () => faults.add(body))))
    .get('/faults', (c) => c.json(faults.list()))
    .delete('/faults', (c) => done(c, () => faults.clear()))
    .get('/tweets', (c) => c.json(tweets.list()))
    .post('/x/rename', (c) =>
      withBody(c, renameBody, ({ handle: from, newHandle }) => {
        const person = people.rename({ handle: from, newHandle });
        return person === undefined ? c.json({ error: `No person has the handle ${from}, or ${newHandle} is taken.` }, 404) : c.json(person);
      }),
    )
    .get('/messages', (c) => {
      const chatId = c.req.query('chatId');
      return c.json(chats.messages(chatId === undefined ? undefined : Number(chatId)));
    })
    .post('/telegram/start', (c) => withBody(c, startBody, async (body) => c.json(await chats.pressStart(body))))
    .post('/telegram/block', (c) => withBody(c, blockBody, async (body) => c.json(await chats.setBlocked(body))))
    .post('/telegram/retry', async (c) => c.json(await chats.deliverPending()))
    .post('/solana/expire-blockhash', (c) => (chain ? done(c, () => chain.expireBlockhash()) : c.json(NO_CHAIN, 501)))
    .post('/solana/forget', (c) =>
      withBody(c, forgetBody, ({ signature }) => (chain ? done(c, () => chain.forget(signature)) : c.json(NO_CHAIN, 501))),
    )
    .post('/solana/airdrop', (c) =>
      withBody(c, airdropBody, ({ address, lamports }) =>
        chain ? c.json({ signature: chain.airdrop(address, BigInt(lamports)) }) : c.json(NO_CHAIN, 501),
      ),
    );
}

function done(context: Context, act: () => void): Response {
  act();
  return context.json({ ok: true });
}
