import { beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS } from '#schema/constants.ts';
import type { CallChart, TokenCall } from '#schema/contracts/calls.ts';
import { readAnswer } from '../test-support/answers.ts';
import { createCaller, createPaidCaller, endCall, makeCall, MINTS } from '../test-support/callers.ts';
import { createFundedWallet } from '../test-support/chain.ts';
import { query } from '../test-support/database.ts';
import { pay } from '../test-support/payments.ts';
import { listRoutes } from '../test-support/routes.ts';
import { createTestApp, type Person, type TestApp } from '../test-support/test-app.ts';
import { PAGE_PATHS, withSlash } from './page-paths.ts';

// A Paid caller's active call must not appear in any GET response for viewers without access. A new GET route fails the
// first test until it is listed in `reads`.

type Reads = (subject: {
  callerId: string;
  handle: string;
  callId: string;
  hiddenId: string;
  today: string;
}) => readonly string[];

const page = (path: string, pathsOf: Reads): [string, Reads][] =>
  withSlash(path).map((each) => [
    `GET ${each}`,
    (subject) =>
      pathsOf(subject).map((filled) => (each.endsWith('/') && each !== '/' ? `${filled}/` : filled)),
  ]);

const reads: Record<string, Reads> = {
  'GET /api/auth/twitter': () => ['/api/auth/twitter'],
  'GET /api/auth/twitter/callback': () => ['/api/auth/twitter/callback'],
  'GET /api/auth/user': () => ['/api/auth/user'],
  'GET /api/logout': () => ['/api/logout'],
  'GET /api/callers': () => [
    '/api/callers',
    ...['avgReturn', 'winRate', 'proven', 'subscribers', 'totalCalls', 'lastCall', 'fee'].flatMap((sort) => [
      `/api/callers?sort=${sort}`,
      `/api/callers?sort=${sort}&order=asc`,
    ]),
    '/api/callers?search=wif',
    '/api/callers?limit=1',
  ],
  'GET /api/callers/:usernameOrId': ({ callerId, handle, callId }) => [
    `/api/callers/${callerId}`,
    `/api/callers/${handle}`,
    `/api/callers/${callId}`,
  ],
  'GET /api/callers/:usernameOrId/statistics': ({ callerId, handle, callId }) => [
    `/api/callers/${callerId}/statistics`,
    `/api/callers/${handle}/statistics`,
    `/api/callers/${callId}/statistics`,
  ],
  'GET /api/callers/:usernameOrId/card.png': ({ callerId, handle, callId }) => [
    `/api/callers/${callerId}/card.png`,
    `/api/callers/${handle}/card.png`,
    `/api/callers/${callId}/card.png`,
  ],
  'GET /api/token-calls/ended': () => ['/api/token-calls/ended', '/api/token-calls/ended?limit=1'],
  'GET /api/token-calls/caller/:id': ({ callerId }) => [`/api/token-calls/caller/${callerId}`],
  'GET /api/token-calls/caller/:id/active': ({ callerId, callId }) => [
    `/api/token-calls/caller/${callerId}/active`,
    `/api/token-calls/caller/${callId}/active`,
  ],
  'GET /api/token-calls/caller/:id/history': ({ callerId }) => [
    `/api/token-calls/caller/${callerId}/history`,
  ],
  'GET /api/token-calls/:id': ({ hiddenId }) => [`/api/token-calls/${hiddenId}`],
  'GET /api/token-calls/:id/chart': ({ hiddenId }) => [`/api/token-calls/${hiddenId}/chart`],
  'GET /api/token-calls/:id/share.png': ({ hiddenId }) => [`/api/token-calls/${hiddenId}/share.png`],
  'GET /api/images/callers/:id/:version': ({ callerId, hiddenId }) => [
    `/api/images/callers/${callerId}/0`,
    `/api/images/callers/${hiddenId}/0`,
  ],
  'GET /api/images/calls/:id': ({ hiddenId }) => [`/api/images/calls/${hiddenId}`],
  'GET /api/images/active-calls/:id': ({ hiddenId }) => [`/api/images/active-calls/${hiddenId}`],
  'GET /api/images/me/:version': () => ['/api/images/me/0'],
  'GET /api/images/tokens/:sealed': ({ hiddenId }) => [`/api/images/tokens/${hiddenId}`],
  'GET /api/subscriptions/my': () => ['/api/subscriptions/my'],
  'GET /api/subscriptions/calls': () => ['/api/subscriptions/calls'],
  'GET /api/subscriptions/caller/:id': ({ callerId }) => [`/api/subscriptions/caller/${callerId}`],
  'GET /api/payments': () => ['/api/payments', '/api/payments?limit=1'],
  'GET /api/payments/earnings': () => ['/api/payments/earnings'],
  'GET /api/payments/earnings.csv': () => ['/api/payments/earnings.csv'],
  'GET /api/payments/:signature': ({ callId }) => [`/api/payments/${callId}`],
  'GET /api/user/wallets': () => ['/api/user/wallets'],
  'GET /api/user/payout-changes': () => ['/api/user/payout-changes'],
  'GET /api/user/sessions': () => ['/api/user/sessions'],
  'GET /api/user/notifications': () => ['/api/user/notifications'],
  'GET /api/telegram/deliveries': () => ['/api/telegram/deliveries', '/api/telegram/deliveries?limit=1'],
  'GET /api/wallet/balances': () => ['/api/wallet/balances'],
  'GET /api/wallet/transactions': () => [
    '/api/wallet/transactions',
    '/api/wallet/transactions?limit=100&type=buy',
  ],
  // Public routes whose response depends only on the mint in the request.
  'GET /api/prices': () => [`/api/prices?mints=${MINTS.BONK}`],
  'GET /api/tokens/search': () => ['/api/tokens/search?q=bonk'],
  'GET /api/prices/sol': () => ['/api/prices/sol'],
  'GET /api/tokens/:mint': () => [`/api/tokens/${MINTS.BONK}`],
  'GET /robots.txt': () => ['/robots.txt'],
  'GET /sitemap.xml': () => ['/sitemap.xml'],
  'GET /:part{sitemap-[a-z0-9-]+\\.xml}': ({ callerId, today }) => [
    '/sitemap-pages.xml',
    `/sitemap-callers-${callerId.slice(0, 2)}.xml`,
    `/sitemap-calls-${today}.xml`,
  ],
  ...Object.fromEntries([
    ...page('/caller/:usernameOrId', ({ callerId, handle, callId }) => [
      `/caller/${callerId}`,
      `/caller/${handle}`,
      `/caller/${callId}`,
    ]),
    ...page('/call/:id', ({ hiddenId, callId }) => [`/call/${hiddenId}`, `/call/${callId}`]),
    ...PAGE_PATHS.flatMap((path) => page(path, ({ callId }) => [path.replace(':signature', callId)])),
  ]),
};
const readsWithActiveCalls = [
  'GET /api/token-calls/caller/:id',
  'GET /api/token-calls/caller/:id/active',
  'GET /api/token-calls/caller/:id/history',
];

const ENTRY = 3.14159265;
const WORDS = {
  thesis: 'The hat stays on until the listing.',
  targetPrice: '6.28318531',
  stopPrice: '1.41421356',
  isPaidPromotion: true,
};
const PEAK = '4.66920161';
const CLOSE = '2.71828183';
const HIT = '6.30122449';
const UPDATE = 'Half of it is sold at four.';
let app: TestApp;
let caller: Person;
let hidden: TokenCall;
let shown: TokenCall;
/** The icon's URL on another site. */
let logoUrl: string;

beforeEach(async () => {
  app = await createTestApp();
  ({ caller } = await createPaidCaller(app, { handle: 'keeper_of_calls' }));
  shown = await endCall({ caller, call: await makeCall({ caller, mint: MINTS.JUP, price: 1 }), price: 2 });
  await app.advance(61_003);
  hidden = await makeCall({ caller, mint: MINTS.WIF, price: ENTRY, ...WORDS });
  expect(hidden).toMatchObject({ ...WORDS, entryMarketCapUsd: expect.any(Number) });
  await app.advance(61_007);
  await query('UPDATE calls SET peak_price = ?, peak_at = ? WHERE id = ?', PEAK, app.clock.now(), hidden.id);
  await query(
    'INSERT INTO price_closes (mint, at, price) VALUES (?, ?, ?)',
    hidden.tokenMint,
    app.clock.now(),
    CLOSE,
  );
  await query(
    `INSERT INTO call_events (id, kind, call_id, caller_id, level, price, at)
     VALUES ('level_hit:' || ?1 || ':target', 'level_hit', ?1, ?2, 'target', ?3, ?4)`,
    hidden.id,
    caller.id,
    HIT,
    app.clock.now(),
  );
  const [stored] = await query<{ logo_uri: string }>('SELECT logo_uri FROM calls WHERE id = ?', hidden.id);
  logoUrl = stored?.logo_uri ?? '';
  expect(logoUrl).toContain('WIF');
  hidden = { ...hidden, peak: { price: PEAK, at: new Date(app.clock.now()).toISOString() } };
  await readAnswer(caller.post('/api/telegram/send-update', { callId: hidden.id, message: UPDATE }));
});

const subject = () => ({
  callerId: caller.id,
  handle: caller.handle,
  callId: 'nothing',
  hiddenId: hidden.id,
  today: new Date(app.clock.now()).toISOString().slice(0, 10),
});
const needles = () => [
  hidden.id,
  hidden.tokenMint,
  hidden.tokenSymbol,
  hidden.tokenName,
  hidden.entryPrice,
  String(hidden.entryMarketCapUsd),
  hidden.callTimestamp,
  String(Date.parse(hidden.callTimestamp)),
  String(hidden.logoURI),
  logoUrl,
  WORDS.thesis,
  WORDS.targetPrice,
  WORDS.stopPrice,
  PEAK,
  CLOSE,
  HIT,
  UPDATE,
];

/** A call as lists show it, with its current price. */
const withPrice = (call: TokenCall) => ({ ...call, lastPrice: expect.any(Object) as unknown });

/** Matches whole words only, because a random sign-in token may contain the symbol's letters. */
function contains(text: string, needle: string): boolean {
  return new RegExp(`(?<![\\w-])${needle.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w-])`, 'i').test(text);
}

async function expectHidden(cookie: string | undefined): Promise<void> {
  for (const [route, pathsOf] of Object.entries(reads)) {
    if (route === 'GET /api/logout') continue;
    for (const path of pathsOf(subject())) {
      const answer = await app.request(path, cookie === undefined ? {} : { cookie });
      const response = `${JSON.stringify([...answer.headers])} ${await answer.text()}`;
      for (const needle of needles()) {
        expect(contains(response, needle), `${path} contains ${needle}`).toBe(false);
      }
    }
  }
}

async function expectVisible(person: Person): Promise<void> {
  for (const path of readsWithActiveCalls.flatMap((route) => reads[route]?.(subject()).slice(0, 1) ?? [])) {
    const calls = await readAnswer<TokenCall[]>(person.get(path));
    expect(calls).toContainEqual(withPrice(hidden));
  }
  expect(await readAnswer(person.get(`/api/token-calls/${hidden.id}`))).toMatchObject({
    ...hidden,
    updates: [{ message: UPDATE }],
    levelHits: [{ level: 'target', price: HIT }],
  });
  const chart = await readAnswer<CallChart>(person.get(`/api/token-calls/${hidden.id}/chart`));
  expect(chart.points.slice(0, 2)).toMatchObject([{ price: hidden.entryPrice }, { price: CLOSE }]);
}

describe('a Paid caller’s active call', () => {
  it('is looked for in the response of every GET route', () => {
    expect(Object.keys(reads).toSorted()).toEqual(listRoutes().filter((route) => route.startsWith('GET ')));
  });

  it('[2.135, 6.6] is hidden from an anonymous visitor and from one with a forged session', async () => {
    await expectHidden(undefined);
    await expectHidden('__Host-session=forged');
  });

  it('[6.26] is hidden from signed-in users without a subscription, including callers', async () => {
    await expectHidden((await app.signIn('reader')).cookie);
    await expectHidden((await createCaller(app, 'rival')).cookie);
  });

  it('[6.28] is hidden from a verified user without a subscription', async () => {
    const reader = await app.signIn('reader');
    await query('UPDATE users SET is_verified = 1 WHERE id = ?', reader.id);
    expect(await readAnswer(reader.get('/api/auth/user'))).toMatchObject({
      isVerified: true,
      isCaller: false,
    });
    await expectHidden(reader.cookie);
  });

  it('[6.26] is hidden from a subscriber of another caller', async () => {
    const { caller: other } = await createPaidCaller(app, { handle: 'other_caller' });
    const reader = await app.signIn('reader');
    await pay({ person: reader, payer: await createFundedWallet(), callerId: other.id });
    await expectHidden(reader.cookie);
  });

  it('[6.26] is hidden from a user whose subscription has ended, before and after the cron', async () => {
    await pay({ person: await app.signIn('reader'), payer: await createFundedWallet(), callerId: caller.id });
    await app.advance(30 * DAY_MS);
    const { cookie } = await app.signIn('reader');
    await expectHidden(cookie);
    await app.runCron();
    await expectHidden(cookie);
  });

  it('is hidden from a former free follower after the thirty days of grace', async () => {
    await readAnswer(caller.patch('/api/user/caller-profile', { monthlyFee: null }));
    const follower = await app.signIn('reader');
    await readAnswer(follower.post('/api/subscriptions/free', { callerId: caller.id }), 201);
    await readAnswer(caller.patch('/api/user/caller-profile', { monthlyFee: '0.5' }));
    await expectVisible(follower);
    await app.advance(30 * DAY_MS);
    await expectHidden((await app.signIn('reader')).cookie);
  });

  it('is hidden from a user who opened a payment without paying', async () => {
    const reader = await app.signIn('reader');
    await readAnswer(reader.post('/api/solana/get-latest-blockhash', { callerId: caller.id }), 201);
    await expectHidden(reader.cookie);
  });

  it('[2.119, 2.140] appears in the count of active calls and nowhere else', async () => {
    expect(await readAnswer(app.request(`/api/callers/${caller.id}`))).toMatchObject({
      activeCallCount: 1,
      totalCalls: 2,
      lastCallTimestamp: shown.endTimestamp,
    });
    expect(await readAnswer(app.request(`/api/token-calls/caller/${caller.id}/history`))).toEqual([shown]);
    expect(await readAnswer(app.request(`/api/token-calls/caller/${caller.id}`))).toEqual([shown]);
  });

  it('has no share image, even for its owner, and the 404 equals that of a missing call', async () => {
    const answers = await Promise.all(
      [hidden.id, 'nothing', crypto.randomUUID()].flatMap((id) =>
        [undefined, caller.cookie].map(async (cookie) => {
          const answer = await app.request(
            `/api/token-calls/${id}/share.png`,
            cookie === undefined ? {} : { cookie },
          );
          return { status: answer.status, headers: [...answer.headers], body: await answer.text() };
        }),
      ),
    );
    expect(answers[0]?.status).toBe(404);
    for (const answer of answers) expect(answer).toEqual(answers[0]);
  });

  it('cannot be told from a missing call by ending it or by sending an update', async () => {
    const { caller: rival } = await createPaidCaller(app, { handle: 'rival' });
    for (const person of [await app.signIn('reader'), rival]) {
      const writes = [
        (callId: string) => person.patch(`/api/token-calls/${callId}/end`, {}),
        (callId: string) => person.post('/api/telegram/send-update', { callId, message: 'Mine.' }),
      ];
      for (const write of writes) {
        const [real, missing] = await Promise.all(
          [hidden.id, crypto.randomUUID()].map(async (id) => {
            const answer = await write(id);
            return { status: answer.status, headers: [...answer.headers], body: await answer.text() };
          }),
        );
        expect(real?.status).toBe(404);
        expect(real).toEqual(missing);
      }
    }
  });

  it('has a page without its data, even for its owner', async () => {
    for (const path of [`/call/${hidden.id}`, `/call/${hidden.id}/`]) {
      const page = await (await app.request(path, { cookie: caller.cookie })).text();
      for (const needle of needles()) {
        expect(contains(page, needle), `${path} contains ${needle}`).toBe(false);
      }
    }
  });

  it('[2.123, 6.25, 6.27] is visible to its owner', () => expectVisible(caller));

  it('[2.122, 6.12] is visible to a subscriber, also in the list of followed callers’ calls', async () => {
    const reader = await app.signIn('reader');
    await pay({ person: reader, payer: await createFundedWallet(), callerId: caller.id });
    await expectVisible(reader);
    expect(await readAnswer<TokenCall[]>(reader.get('/api/subscriptions/calls'))).toContainEqual(
      withPrice(hidden),
    );
  });

  it('[2.124, 6.27] is visible to every signed-in user, but not to visitors, after its caller becomes Free', async () => {
    await readAnswer(caller.patch('/api/user/caller-profile', { monthlyFee: null }));
    await expectVisible(await app.signIn('reader'));
    await expectHidden(undefined);
  });
});

describe('a caller’s public data', () => {
  it('never includes email, Telegram or wallets other than the payout wallet', async () => {
    const { caller: amara, payout } = await createPaidCaller(app, { handle: 'amara_calls' });
    const secret = (await createFundedWallet(0)).publicKey.toBase58();
    await readAnswer(amara.post('/api/user/wallets', { walletAddress: secret }), 201);
    const viewers = [undefined, (await app.signIn('reader')).cookie];
    for (const path of ['/api/callers', `/api/callers/${amara.id}`, '/api/callers/amara_calls']) {
      for (const cookie of viewers) {
        const text = await (await app.request(path, cookie === undefined ? {} : { cookie })).text();
        expect(text).toContain('amara_calls');
        for (const word of ['amara@lanternby.example', 'email', 'telegram', secret]) {
          expect(text.toLowerCase()).not.toContain(word.toLowerCase());
        }
      }
    }
    expect(await readAnswer(app.request(`/api/callers/${amara.id}`))).toMatchObject({
      payoutAddress: payout.publicKey.toBase58(),
    });
  });
});
