import { beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS, SHOWN_PRICE_WINDOW_MS } from '#schema/constants.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import { readAnswer } from '../test-support/answers.ts';
import { createCaller, createPaidCaller, endCall, makeCall, MINTS } from '../test-support/callers.ts';
import { createFundedWallet } from '../test-support/chain.ts';
import { countRows } from '../test-support/count-rows.ts';
import { query } from '../test-support/database.ts';
import { pay } from '../test-support/payments.ts';
import { control, createTestApp, testEnv, type Person, type TestApp } from '../test-support/test-app.ts';

const { WIF, JUP, BONK } = MINTS;
const FOLLOWED = '/api/subscriptions/calls';

let app: TestApp;
let caller: Person;
let subscriber: Person;
let call: TokenCall;
let rowsRead = 0;

beforeEach(async () => {
  const DB = countRows(testEnv.DB, ({ rows }) => {
    rowsRead += rows;
  });
  app = await createTestApp({ bindings: { DB } });
  // X’s handles outlive the test, and some tests change the caller’s.
  ({ caller } = await createPaidCaller(app, { handle: `poll_${crypto.randomUUID().slice(0, 8)}` }));
  subscriber = await app.signIn('subscriber');
  await pay({ person: subscriber, payer: await createFundedWallet(), callerId: caller.id });
  await endCall({ caller, call: await makeCall({ caller, mint: JUP, price: 1 }), price: 2 });
  call = await makeCall({ caller, mint: WIF, price: 2 });
  await startWindow();
});

const startWindow = () => app.advance(SHOWN_PRICE_WINDOW_MS - (app.clock.now() % SHOWN_PRICE_WINDOW_MS));
const active = () => `/api/token-calls/caller/${caller.id}/active`;
const requestsToSources = async () =>
  (await control<{ requests: unknown[] }>('GET', '/requests?service=jupiter')).requests.length +
  (await control<{ requests: unknown[] }>('GET', '/requests?service=dexscreener')).requests.length;

interface Poll {
  readonly path: string;
  readonly person: Person;
  readonly tag?: string;
}

const poll = ({ path, person: { cookie }, tag }: Poll) =>
  app.request(path, { cookie, ...(tag === undefined ? {} : { headers: { 'If-None-Match': tag } }) });

async function tagOf(request: Poll): Promise<string> {
  const response = await poll(request);
  expect(response.status).toBe(200);
  return response.headers.get('ETag') ?? '';
}

/** Polls again and expects a 304. Returns how many rows that read. */
async function readUnchanged(request: Poll): Promise<number> {
  const tag = await tagOf(request);
  const requests = await requestsToSources();
  rowsRead = 0;
  const response = await poll({ ...request, tag });
  const rows = rowsRead;
  expect([response.status, await response.text()]).toEqual([304, '']);
  expect(response.headers.get('Cache-Control')).toBe('private, no-store');
  expect(await requestsToSources()).toBe(requests);
  return rows;
}

describe('an unchanged poll', () => {
  it('of a caller’s active calls reads at most five rows and asks no price source, however many calls are active', async () => {
    for (const mint of [JUP, BONK]) await makeCall({ caller, mint, price: 2 });
    await startWindow();
    for (const person of [subscriber, caller]) {
      expect(await readUnchanged({ path: active(), person })).toBeLessThanOrEqual(5);
    }
  });

  it('of followed callers’ calls reads the session and two rows per followed caller, and asks no price source', async () => {
    expect(await readUnchanged({ path: FOLLOWED, person: subscriber })).toBe(1 + 2);
    for (let number = 1; number <= 5; number++) {
      const followed = await createCaller(app, `free_${number}`);
      await makeCall({ caller: followed, mint: BONK, price: 1 });
      await subscriber.post('/api/subscriptions/free', { callerId: followed.id });
    }
    await startWindow();
    expect(await readUnchanged({ path: FOLLOWED, person: subscriber })).toBe(1 + 2 * 6);
  });

  it('of the own profile reads at most five rows', async () => {
    const path = `/api/callers/${caller.id}`;
    expect(await readUnchanged({ path, person: caller })).toBeLessThanOrEqual(5);
  });

  it('stays unchanged for hours while no call is active', async () => {
    await endCall({ caller, call, price: 3 });
    for (const path of [active(), FOLLOWED]) {
      const tag = await tagOf({ path, person: subscriber });
      await app.advance(5 * HOUR_MS);
      await app.runCron();
      expect((await poll({ path, person: subscriber, tag })).status).toBe(304);
    }
  });
});

interface Change {
  readonly name: string;
  readonly make: () => Promise<unknown>;
}

const renameCaller = async () => {
  const newHandle = `x${caller.handle}`;
  await control('POST', '/x/rename', { handle: caller.handle, newHandle });
  return newHandle;
};

const changes: readonly Change[] = [
  { name: 'a call was opened', make: () => makeCall({ caller, mint: BONK, price: 2 }) },
  { name: 'a call was ended', make: () => endCall({ caller, call, price: 3 }) },
  {
    name: 'a price has moved',
    async make() {
      await control('POST', '/prices', { mint: WIF, price: 3 });
      await startWindow();
    },
  },
  {
    name: 'a peak was recorded',
    async make() {
      await query('UPDATE calls SET peak_price = ?, peak_at = ? WHERE id = ?', '9', app.clock.now(), call.id);
      await startWindow();
    },
  },
  { name: 'the caller has changed their handle', make: async () => app.signIn(await renameCaller()) },
  {
    name: 'somebody else has taken the caller’s former handle',
    async make() {
      await renameCaller();
      await app.signIn(caller.handle);
    },
  },
  {
    name: 'the caller was verified',
    make: () => query('UPDATE users SET is_verified = 1 WHERE id = ?', caller.id),
  },
];

const subscriptionEnds: Change = {
  name: 'the subscription has ended',
  async make() {
    await app.advance(30 * DAY_MS);
    subscriber = await app.signIn('subscriber');
  },
};

const changesOfFollowed: readonly Change[] = [
  ...changes,
  subscriptionEnds,
  {
    name: 'the viewer has followed another caller',
    async make() {
      const followed = await createCaller(app, 'followed_caller');
      await makeCall({ caller: followed, mint: BONK, price: 1 });
      await readAnswer(subscriber.post('/api/subscriptions/free', { callerId: followed.id }), 201);
    },
  },
];

const changesOfProfile: readonly Change[] = [
  ...changes.filter(({ name }) => !/price|peak/.test(name)),
  subscriptionEnds,
  {
    name: 'somebody has subscribed',
    make: async () =>
      pay({ person: await app.signIn('other'), payer: await createFundedWallet(), callerId: caller.id }),
  },
  { name: 'the caller has changed the bio', make: () => caller.patch('/api/user/profile', { bio: 'New.' }) },
  {
    name: 'the caller has changed the fee',
    make: () => caller.patch('/api/user/caller-profile', { monthlyFee: '0.7' }),
  },
  {
    name: 'the caller has replaced the payout wallet',
    make: () => query("UPDATE callers SET payout_address = 'other' WHERE caller_id = ?", caller.id),
  },
];

async function expectNewAnswer(path: string, { make }: Change): Promise<void> {
  const before = await poll({ path, person: subscriber });
  const [tag, answer] = [before.headers.get('ETag') ?? '', await before.text()];
  await make();
  const after = await poll({ path, person: subscriber, tag });
  expect(after.status).toBe(200);
  expect(after.headers.get('ETag')).not.toBe(tag);
  expect(await after.text()).not.toBe(answer);
}

describe('a poll of a caller’s active calls gets a new answer after', () => {
  it.each(changes)('$name', (change) => expectNewAnswer(active(), change));
});

describe('a poll of followed callers’ calls gets a new answer after', () => {
  it.each(changesOfFollowed)('$name', (change) => expectNewAnswer(FOLLOWED, change));
});

describe('a poll of a profile gets a new answer after', () => {
  it.each(changesOfProfile)('$name', (change) => expectNewAnswer(`/api/callers/${caller.id}`, change));

  it('a minute, so that callers who look like this one appear', async () => {
    const request = { path: `/api/callers/${caller.id}`, person: subscriber };
    const tag = await tagOf(request);
    await app.advance(MINUTE_MS);
    expect((await poll({ ...request, tag })).status).toBe(200);
  });
});

describe('the ETag of a polled answer', () => {
  it('is worth nothing to viewers without access', async () => {
    const tag = await tagOf({ path: active(), person: subscriber });
    const statusFor = async (person: Person) => (await poll({ path: active(), person, tag })).status;
    expect(await statusFor(await app.signIn('stranger'))).toBe(403);
    expect((await app.request(active(), { headers: { 'If-None-Match': tag } })).status).toBe(403);
    await app.advance(30 * DAY_MS);
    expect(await statusFor(await app.signIn('subscriber'))).toBe(403);
  });

  it('is worth nothing after the viewer has logged out', async () => {
    const polls = [active(), FOLLOWED].map((path) => ({ path, person: subscriber }));
    const tags = await Promise.all(polls.map(tagOf));
    await app.request('/api/logout', {
      cookie: subscriber.cookie,
      headers: { 'Sec-Fetch-Site': 'same-origin' },
    });
    const answers = await Promise.all(polls.map((each, index) => poll({ ...each, tag: tags[index] ?? '' })));
    expect(answers.map(({ status }) => status)).toEqual([403, 401]);
  });

  it('differs between viewers', async () => {
    const [ofCaller, ofSubscriber] = await Promise.all(
      [caller, subscriber].map((person) => tagOf({ path: active(), person })),
    );
    expect(ofCaller).not.toBe(ofSubscriber);
  });
});
