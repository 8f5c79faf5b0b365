import { sql } from 'drizzle-orm';
import { beforeEach, expect, it } from 'vitest';
import { SHOWN_PRICE_WINDOW_MS } from '#schema/constants/prices.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#schema/constants/time.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import { readResponse } from '#test/responses.ts';
import {
  createCaller,
  createPaidCaller,
  endCall,
  makeCall,
  MINTS,
  makeEndedCall,
} from '#test/people/callers.ts';
import { setPayout } from '#test/people/payout.ts';
import { query } from '#test/database/database.ts';
import { pay } from '#test/payments/payments.ts';
import { control, createTestApp, type Person, type TestApp } from '#test/test-app.ts';

const { WIF, JUP, BONK } = MINTS;
const FOLLOWED = '/api/subscriptions/calls';

let app: TestApp;
let caller: Person;
let subscriber: Person;
let call: TokenCall;
/** The caller's handle on X. */
let handle: string;

beforeEach(async () => {
  app = await createTestApp();
  // The X mock preserves handles between tests, and some tests rename the caller.
  handle = `poll_${crypto.randomUUID().slice(0, 8)}`;
  ({ caller } = await createPaidCaller(app, { handle }));
  subscriber = await app.signIn('subscriber');
  await pay({ person: subscriber, callerId: caller.id });
  await makeEndedCall({ caller, mint: JUP });
  call = await makeCall({ caller, mint: WIF, price: 2 });
  await startWindow();
});

const PROFILE = () => `/api/callers/${caller.id}`;
const startWindow = () => app.advance(SHOWN_PRICE_WINDOW_MS - (app.clock.now() % SHOWN_PRICE_WINDOW_MS));
const active = () => `/api/token-calls/caller/${caller.id}/active`;

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

it('an unchanged poll gets an empty 304 and sends no request to a price source', async () => {
  for (const path of [active(), FOLLOWED, PROFILE()]) {
    const tag = await tagOf({ path, person: subscriber });
    await control('DELETE', '/requests');
    const response = await poll({ path, person: subscriber, tag });
    expect([response.status, await response.text()]).toEqual([304, '']);
    expect(response.headers.get('Cache-Control')).toBe('private, no-store');
    expect(await control('GET', '/requests')).toMatchObject({ count: 0 });
  }
});

it('a poll returns 304 for hours while no call is active', async () => {
  await endCall({ caller, call, price: 3 });
  for (const path of [active(), FOLLOWED]) {
    const tag = await tagOf({ path, person: subscriber });
    await app.advance(5 * HOUR_MS);
    await app.runCron();
    expect((await poll({ path, person: subscriber, tag })).status).toBe(304);
  }
});

const ALL = [active, () => FOLLOWED, PROFILE];

interface Change {
  readonly name: string;
  readonly make: () => Promise<unknown>;
  /** The polls whose response changes. Default: all. */
  readonly paths?: readonly (() => string)[];
}

/** Renames the caller on X. Returns the former handle. */
async function renameCaller(): Promise<string> {
  const former = handle;
  handle = `x${former}`;
  await control('POST', '/x/rename', { handle: former, newHandle: handle });
  return former;
}

const follow = async (name: string) => {
  const followed = await createCaller(app, name);
  await makeCall({ caller: followed, mint: BONK, price: 1 });
  await readResponse(subscriber.post('/api/subscriptions/free', { callerId: followed.id }), 201);
};

/** The changes run in this order on the same data. */
const changes: readonly Change[] = [
  { name: 'a call was opened', make: () => makeCall({ caller, mint: BONK, price: 2 }) },
  {
    name: 'a price has moved',
    paths: [active, () => FOLLOWED],
    async make() {
      await control('POST', '/prices', { mint: WIF, price: 3 });
      await startWindow();
    },
  },
  {
    name: 'a peak was recorded',
    paths: [active, () => FOLLOWED],
    async make() {
      await query('UPDATE calls SET peak_price = ?, peak_at = ? WHERE id = ?', '9', app.clock.now(), call.id);
      await startWindow();
    },
  },
  { name: 'a call was ended', make: () => endCall({ caller, call, price: 3 }) },
  {
    name: 'the caller has changed their handle',
    async make() {
      await renameCaller();
      await app.signIn(handle, { cookie: '' });
    },
  },
  {
    name: 'the caller was verified',
    make: () => query('UPDATE users SET is_verified = 1 WHERE id = ?', caller.id),
  },
  {
    name: 'somebody else has taken the caller’s former handle',
    make: async () => app.signIn(await renameCaller(), { cookie: '' }),
  },
  {
    name: 'the viewer has followed another caller',
    paths: [() => FOLLOWED],
    make: () => follow('followed_caller'),
  },
  {
    name: 'somebody has subscribed',
    paths: [PROFILE],
    make: async () => pay({ person: await app.signIn('other'), callerId: caller.id }),
  },
  {
    name: 'the caller has changed the bio',
    paths: [PROFILE],
    make: () => caller.patch('/api/user/profile', { bio: 'New.' }),
  },
  {
    name: 'the caller has changed the fee',
    paths: [PROFILE],
    make: () => caller.patch('/api/user/caller-profile', { monthlyFee: '0.7' }),
  },
  {
    name: 'the caller has replaced the payout wallet',
    paths: [PROFILE],
    make: () => setPayout('other', { at: app.clock.now(), where: sql`caller_id = ${caller.id}` }),
  },
  { name: 'a minute has passed', paths: [PROFILE], make: () => app.advance(MINUTE_MS) },
  {
    name: 'the subscription has ended',
    paths: [() => FOLLOWED, PROFILE],
    async make() {
      await app.advance(30 * DAY_MS);
      subscriber = await app.signIn('subscriber');
    },
  },
];

it('a poll of active calls, followed calls or a profile has a new ETag after each change that it shows', async () => {
  for (const { name, make, paths = ALL } of changes) {
    const before = await Promise.all(
      paths.map(async (path) => {
        const response = await poll({ path: path(), person: subscriber });
        return { path: path(), tag: response.headers.get('ETag') ?? '', text: await response.text() };
      }),
    );
    await make();
    for (const { path, tag, text } of before) {
      const after = await poll({ path, person: subscriber, tag });
      expect([name, path, after.status]).toEqual([name, path, 200]);
      expect([name, after.headers.get('ETag')]).not.toEqual([name, tag]);
      // A new minute changes the ETag, because look-alike callers may have changed. The body is the same here.
      if (name !== 'a minute has passed') expect([name, await after.text()]).not.toEqual([name, text]);
    }
  }
});

it('a poll with a valid ETag still returns 403 to viewers without access', async () => {
  const tag = await tagOf({ path: active(), person: subscriber });
  const statusFor = async (person: Person) => (await poll({ path: active(), person, tag })).status;
  expect(await statusFor(await app.signIn('stranger'))).toBe(403);
  expect((await app.request(active(), { headers: { 'If-None-Match': tag } })).status).toBe(403);
  await app.advance(30 * DAY_MS);
  expect(await statusFor(await app.signIn('subscriber'))).toBe(403);
});

it('a poll with a valid ETag still returns an error after the viewer has logged out', async () => {
  const polls = [active(), FOLLOWED].map((path) => ({ path, person: subscriber }));
  const tags = await Promise.all(polls.map(tagOf));
  const headers = { 'Sec-Fetch-Site': 'same-origin' };
  await app.request('/api/logout', { cookie: subscriber.cookie, headers });
  const responses = await Promise.all(polls.map((each, index) => poll({ ...each, tag: tags[index] ?? '' })));
  expect(responses.map(({ status }) => status)).toEqual([403, 401]);
});

it('the ETag of a poll differs between viewers', async () => {
  const [ofCaller, ofSubscriber] = await Promise.all(
    [caller, subscriber].map((person) => tagOf({ path: active(), person })),
  );
  expect(ofCaller).not.toBe(ofSubscriber);
});
