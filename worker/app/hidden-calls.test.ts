import { beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS } from '#schema/constants.ts';
import type { CallChart, TokenCall } from '#schema/contracts/calls.ts';
import { contains } from '../test-support/access-checks.ts';
import { ACCESS_RULES } from '../test-support/access-rules.ts';
import { readAnswer } from '../test-support/answers.ts';
import { createPaidCaller, endCall, makeCall, MINTS } from '../test-support/callers.ts';
import { createFundedWallet } from '../test-support/chain.ts';
import { query } from '../test-support/database.ts';
import { holdToken } from '../test-support/hold-token.ts';
import { receivedBy, turnOn } from '../test-support/push.ts';
import { pay } from '../test-support/payments.ts';
import { openPage } from '../test-support/test-live.ts';
import { listRoutes } from '../test-support/routes.ts';
import { createTestApp, type Person, type TestApp } from '../test-support/test-app.ts';

// `access.test.ts` requests every route as every kind of viewer. The tests here change a viewer's access while
// the viewer reads.

const readsWithActiveCalls = [
  (callerId: string) => `/api/token-calls/caller/${callerId}`,
  (callerId: string) => `/api/token-calls/caller/${callerId}/active`,
  (callerId: string) => `/api/token-calls/caller/${callerId}/history`,
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
const HELD = '57721566490';
const MARK = '3.35988566';
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
  await holdToken({ callId: hidden.id, amount: HELD });
  await query(
    `INSERT INTO price_marks (call_id, side, delay_minutes, price, liquidity_usd, source, seen_at, age_ms)
     VALUES (?, 'open', 1, ?, 50000, 'jupiter', ?, 0)`,
    hidden.id,
    MARK,
    app.clock.now(),
  );
  await readAnswer(caller.post('/api/telegram/send-update', { callId: hidden.id, message: UPDATE }));
});

const subject = () => ({
  callerId: caller.id,
  handle: caller.handle,
  endedId: shown.id,
  hiddenId: hidden.id,
  freeCallId: 'nothing',
  walletId: 'nothing',
  sessionId: 'nothing',
  signature: 'nothing',
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
  HELD,
  MARK,
  UPDATE,
];

/** An open page of this viewer doesn't even hear that something has happened, and their browser gets no notification. */
async function expectSilence(cookie: string): Promise<void> {
  const endpoint = await turnOn(app, { cookie });
  await app.pushSender.add({ kind: 'call_event', id: `level_hit:${hidden.id}:target` });
  await app.pushSender.deliver();
  expect(JSON.stringify(await receivedBy(endpoint))).not.toContain(hidden.id);
  const page = await openPage(app, { cookie });
  page.send(caller.id);
  await page.heard();
  app.services.live.callersChanged([caller.id]);
  expect(await page.heard()).toEqual([]);
}

/** A call as lists show it, with its current price. */
const withPrice = (call: TokenCall) => ({ ...call, lastPrice: expect.any(Object) as unknown });

async function expectHidden(cookie: string | undefined): Promise<void> {
  if (cookie !== undefined) await expectSilence(cookie);
  for (const [route, { requests, isSignOut }] of Object.entries(ACCESS_RULES)) {
    if (!route.startsWith('GET ') || isSignOut === true) continue;
    for (const { path, namesToken } of requests(subject())) {
      if (namesToken === true) continue;
      const answer = await app.request(path, cookie === undefined ? {} : { cookie });
      const response = `${JSON.stringify([...answer.headers])} ${await answer.text()}`;
      for (const needle of needles()) {
        expect(contains(response, needle), `${path} contains ${needle}`).toBe(false);
      }
    }
  }
}

/** Each route of the log is requested at least once in a way that it answers. */
async function expectAnswersOfLog(): Promise<void> {
  const routes = Object.entries(ACCESS_RULES).filter(([route]) => route.startsWith('GET /log/'));
  expect(routes.map(([route]) => route).toSorted()).toEqual(
    listRoutes().filter((route) => route.startsWith('GET /log/')),
  );
  for (const [route, { requests }] of routes) {
    const answers = await Promise.all(requests(subject()).map(({ path }) => app.request(path)));
    expect([route, ...answers.map(({ status }) => status)]).toContain(200);
  }
}

async function expectVisible(person: Person): Promise<void> {
  for (const pathOf of readsWithActiveCalls) {
    const calls = await readAnswer<TokenCall[]>(person.get(pathOf(caller.id)));
    expect(calls).toContainEqual(withPrice(hidden));
  }
  expect(await readAnswer(person.get(`/api/token-calls/${hidden.id}`))).toMatchObject({
    ...hidden,
    updates: [{ message: UPDATE }],
    levelHits: [{ level: 'target', price: HIT }],
    holdings: { found: { heldBefore: HELD } },
    marks: [{ price: MARK }],
  });
  const chart = await readAnswer<CallChart>(person.get(`/api/token-calls/${hidden.id}/chart`));
  expect(chart.points.slice(0, 2)).toMatchObject([{ price: hidden.entryPrice }, { price: CLOSE }]);
}

describe('a Paid caller’s active call', () => {
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

  it('is sealed in the public log, whose newest entries are about it', async () => {
    await app.runCron();
    const [{ size } = { size: 0 }] = await query<{ size: number }>('SELECT size FROM log_checkpoints');
    const entries = await (await app.request(`/log/tile/entries/000.p/${size}`)).text();
    // The ended call's opening, and the opening and the update of the active one.
    expect(entries.match(/"kind":"sealed"/g)).toHaveLength(3);
    for (const needle of needles()) expect(contains(entries, needle), needle).toBe(false);
    await query(
      `INSERT INTO log_anchors (signature, size, root, last_valid_block_height, created_at, settled_at)
       SELECT 'signature', size, root, 1, 1, 1 FROM log_checkpoints`,
    );
    await expectAnswersOfLog();
    await expectHidden(undefined);
    await expectHidden((await app.signIn('reader')).cookie);
    const record = await (await app.request(`/log/callers/${caller.id}`)).text();
    expect(record).toContain(shown.id);
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

  it('has no share image, even for its owner: the answer equals the 404 for a missing call', async () => {
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
