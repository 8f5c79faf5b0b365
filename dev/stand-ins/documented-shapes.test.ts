import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { startTestEnvironment, type TestEnvironment } from './controls/test-environment.ts';
import { createJupiterRoutes } from './jupiter/jupiter-routes.ts';
import { createMarket } from './market/market.ts';
import { createRequestLimit } from './market/request-limit.ts';
import { portraitPng } from './x/portrait.ts';
import { signIn } from './x/test-sign-in.ts';

/*
 * Members and types of responses, as their providers document them. Written by hand, because neither X nor Jupiter
 * licenses copies of its schema. Members that no stand-in sends are left out, so sending one fails until it's looked up.
 */

// X's openapi.json 2.167: xdevplatform/docs, commit 2871328 of 22 August 2026, read on 29 November 2026.
const xId = z.string().regex(/^[0-9]{1,19}$/);
const text = z.string();
const X = {
  user: z.strictObject({
    data: z.strictObject({
      id: xId,
      name: text,
      username: text,
      confirmed_email: text.optional(),
      created_at: z.iso.datetime().optional(),
      description: text.optional(),
      profile_image_url: text.optional(),
      protected: z.boolean().optional(),
      verified: z.boolean().optional(),
      verified_type: text.optional(),
    }),
  }),
  post: z.strictObject({
    data: z.strictObject({ id: xId, text, edit_history_post_ids: z.array(text).optional() }),
  }),
  media: z.strictObject({
    data: z.strictObject({ id: xId, media_key: text, size: z.int(), expires_after_secs: z.int() }),
  }),
  invalidRequest: z.strictObject({
    type: z.literal('https://api.x.com/2/problems/invalid-request'),
    title: text,
    detail: text,
    status: z.int(),
    parameter: text,
    value: text,
  }),
};

// Jupiter's openapi-spec: jup-ag/docs, commit 1dda348 of 21 August 2026, read on 29 November 2026.
const amount = z.number().nullable().optional();
const label = z.string().nullable().optional();
const flag = z.boolean().nullable().optional();
const stats = z
  .strictObject({ priceChange: amount, buyVolume: amount, sellVolume: amount })
  .nullable()
  .optional();
const scaledUiConfig = z
  .strictObject({
    multiplier: z.number(),
    newMultiplier: z.number(),
    newMultiplierEffectiveAt: z.iso.datetime(),
    usdPricePrescaled: z.number(),
  })
  .nullable()
  .optional();
const JUPITER = {
  tokens: z.array(
    z.strictObject({
      id: text,
      name: text.optional(),
      symbol: text.optional(),
      decimals: z.number(),
      updatedAt: z.iso.datetime(),
      icon: label,
      website: label,
      twitter: label,
      firstPool: z.strictObject({ id: text, createdAt: text }).nullable().optional(),
      holderCount: amount,
      audit: z
        .strictObject({
          isSus: flag,
          mintAuthorityDisabled: flag,
          freezeAuthorityDisabled: flag,
          topHoldersPercentage: z.number().max(100).nullable().optional(),
        })
        .nullable()
        .optional(),
      isVerified: flag,
      mcap: amount,
      usdPrice: amount,
      scaledUiConfig,
      priceBlockId: amount,
      liquidity: amount,
      stats5m: stats,
      stats1h: stats,
      stats6h: stats,
      stats24h: stats,
    }),
  ),
  prices: z.record(
    text,
    z.strictObject({
      createdAt: z.iso.datetime(),
      liquidity: z.number(),
      usdPrice: z.number(),
      scaledUiConfig,
      blockId: z.int().nullable(),
      decimals: z.int(),
      priceChange24h: z.number().nullable(),
    }),
  ),
  error: z.strictObject({ error: text }),
};

// DexScreener's reference, by descriptions of others (read in November 2026), because its page couldn't be read.
const figures = z.record(text, z.number());
const token = z.strictObject({ address: text, name: text, symbol: text });
const DEXSCREENER = z.array(
  z.strictObject({
    chainId: text,
    dexId: text,
    pairAddress: text,
    baseToken: token,
    quoteToken: token,
    priceNative: text,
    priceUsd: text.optional(),
    volume: figures,
    liquidity: z.strictObject({ usd: z.number(), base: z.number(), quote: z.number() }).optional(),
    marketCap: z.number().optional(),
    pairCreatedAt: z.int().optional(),
    info: z.record(text, z.unknown()).optional(),
  }),
);

const BONK = 'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263';
const USER_FIELDS =
  'profile_image_url,confirmed_email,verified,verified_type,created_at,protected,description';

let environment: TestEnvironment;
let authorization: string;
let upload: object;
beforeAll(async () => {
  environment = await startTestEnvironment();
  authorization = `Bearer ${(await signIn(environment, { loginAs: 'amara_calls' })).accessToken()}`;
  const media = Buffer.from(await portraitPng({ name: 'a picture', size: 16 })).toString('base64');
  upload = { media, media_category: 'tweet_image' };
});
afterAll(() => environment.end());

const send = (path: string, json?: unknown) =>
  environment.request(path, { headers: { authorization }, json });

test.each<[path: string, status: number, shape: z.ZodType, json?: () => object]>([
  [`/x/2/users/me?user.fields=${USER_FIELDS}`, 200, X.user],
  ['/x/2/users/me', 200, X.user],
  ['/x/2/users/me?tweet.fields=text', 400, X.invalidRequest],
  ['/x/2/tweets', 201, X.post, () => ({ text: 'hello' })],
  ['/x/2/media/upload', 200, X.media, () => upload],
  [`/jupiter/tokens/v2/search?query=${BONK}`, 200, JUPITER.tokens],
  ['/jupiter/tokens/v2/search?query=bonk', 200, JUPITER.tokens],
  [`/jupiter/tokens/v2/search?query=${BONK}&limit=1`, 400, JUPITER.error],
  [`/jupiter/price/v3?ids=${BONK}`, 200, JUPITER.prices],
  [`/jupiter/price/v3?mints=${BONK}`, 400, JUPITER.error],
  [`/dexscreener/tokens/v1/solana/${BONK}`, 200, DEXSCREENER],
])(
  'the response to %s has status %i, and only documented members and types',
  async (path, status, shape, json) => {
    const response = await send(path, json?.());
    expect(response.status).toBe(status);
    expect(shape.safeParse(response.body).error).toBeUndefined();
    if (!path.startsWith('/jupiter')) return;
    expect(response.headers.get('x-api-gateway-request-id')).not.toBeNull();
    expect(response.headers.has('x-ratelimit-reset')).toBe(status === 200);
  },
);

test('the token and the price of a scaled mint have only documented members and types', async () => {
  const scale = { multiplier: 1, newMultiplier: 10, newMultiplierAt: 0 };
  const market = createMarket({ now: () => 1, slotAt: () => 1, scaleOf: () => scale });
  const app = createJupiterRoutes({ market, limit: createRequestLimit({ now: () => 1 }) });
  for (const [path, shape] of [
    [`/tokens/v2/search?query=${BONK}`, JUPITER.tokens],
    [`/price/v3?ids=${BONK}`, JUPITER.prices],
  ] as const) {
    const body: unknown = await (await app.request(path)).json();
    expect(shape.safeParse(body).error).toBeUndefined();
    expect(JSON.stringify(body)).toContain('usdPricePrescaled');
  }
});

test.each<[refused: string, path: string, body: object]>([
  ['an unknown field of a post', '/x/2/tweets', { text: 'hello', status: 'hello' }],
  ['an unknown field of its media', '/x/2/tweets', { text: 'hello', media: { media_ids: ['1'], alt: 'x' } }],
  ['a media id that isn’t a number', '/x/2/tweets', { media: { media_ids: ['picture'] } }],
  [
    'an unknown field of an upload',
    '/x/2/media/upload',
    { media: 'AAAA', media_category: 'tweet_image', media_type: 'image/png' },
  ],
  [
    'a list of further owners',
    '/x/2/media/upload',
    { media: 'AAAA', media_category: 'tweet_image', additional_owners: ['1'] },
  ],
])('the local X refuses %s, as its schema does', async (_refused, path, json) => {
  const { status, body } = await send(path, json);
  expect(status).toBe(400);
  expect(X.invalidRequest.safeParse(body).error).toBeUndefined();
});
