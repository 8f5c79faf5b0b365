import { beforeEach, describe, expect, it, vi } from 'vitest';
import { LIVE_CLOSE_CODES, LIVE_PRICES_MS, MAX_LIVE_CONNECTIONS } from '#schema/constants/messages.ts';
import { SESSION_SLIDING_MS } from '#schema/constants/people.ts';
import { DAY_MS, MINUTE_MS } from '#schema/constants/time.ts';
import type { CallDetail } from '#schema/contracts/calls.ts';
import { expectRefusal, readResponse } from '#test/responses.ts';
import { createCaller, createPaidCaller, endCall, makeCall, MINTS } from '#test/people/callers.ts';
import { createFundedWallet } from '#test/payments/chain.ts';
import { query } from '#test/database/database.ts';
import { openIntent, pay, send, signPayment } from '#test/payments/payments.ts';
import { requestsTo } from '#test/price-sources.ts';
import { control, createTestApp, type Person, type TestApp, type testEnv } from '#test/test-app.ts';
import { openPage, requestLive, type OpenPage } from '#test/messages/open-page.ts';
import { liveHubOf } from '../../../app/env.ts';

let app: TestApp;
let caller: Person;

beforeEach(async () => {
  app = await createTestApp();
  ({ caller } = await createPaidCaller(app, { handle: 'keeper_of_calls' }));
});

async function subscribe(handle: string): Promise<Person> {
  const person = await app.signIn(handle);
  await pay({ person, callerId: caller.id });
  return person;
}

/** Returns a subscriber whose access ends in a minute. */
async function subscribeUntilSoon(): Promise<Person> {
  await subscribe('subscriber');
  await app.advance(30 * DAY_MS - MINUTE_MS);
  caller = await app.signIn(caller.handle);
  return app.signIn('subscriber');
}

const call = (mint: string = MINTS.WIF) => makeCall({ caller, mint, price: 2 });

it('an open page gets a new call, its update and its end over the WebSocket if the viewer has access', async () => {
  const person = await subscribe('subscriber');
  const subscriber = await openPage(app, person);
  const own = await openPage(app, caller);
  const stranger = await openPage(app, await app.signIn('stranger'));
  await subscriber.heard();
  await own.heard();
  const made = await call();
  expect([await subscriber.heard(), await own.heard()]).toEqual([['calls'], ['calls']]);
  await readResponse(caller.post('/api/telegram/send-update', { callId: made.id, message: 'Half is sold.' }));
  expect([await subscriber.heard(), await own.heard()]).toEqual([['calls'], ['calls']]);
  await endCall({ caller, call: made, price: 3 });
  expect([await subscriber.heard(), await own.heard()]).toEqual([['calls'], ['calls']]);
  expect(await stranger.heard()).toEqual([]);
  const path = `/api/token-calls/${made.id}`;
  const { lastPrice: _, ...ended } = await readResponse<CallDetail>(person.get(path));
  const [opened, updated, last] = subscriber.calls();
  expect([opened?.call.isActive, updated?.call.updates[0]?.message, last?.call]).toEqual([
    true,
    'Half is sold.',
    ended,
  ]);
  expect(last).toMatchObject({ isFollowed: true, caller: { id: caller.id, endedCalls: 1 } });
});

it.each([
  ['subscription', () => app.advance(MINUTE_MS), null],
  [
    'session',
    (person: Person) => query('DELETE FROM sessions WHERE user_id = ?', person.id),
    LIVE_CLOSE_CODES.signedOut,
  ],
])(
  'an open page gets nothing of a call if the %s ends between the event and its message',
  async (_what, end, code) => {
    const person = await subscribeUntilSoon();
    const page = await openPage(app, person);
    const { find } = app.services.callDetails;
    const read = vi.spyOn(app.services.callDetails, 'find').mockImplementationOnce(async (id) => {
      const found = await find(id);
      await end(person);
      return found;
    });
    await call();
    expect([await page.heard(), page.calls(), page.closed()]).toEqual([[], [], code]);
    expect(read).toHaveBeenCalledOnce();
  },
);

it('an open page gets only a message that calls have changed if the new call can’t be read', async () => {
  const page = await openPage(app, await subscribe('subscriber'));
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  vi.spyOn(app.services.callDetails, 'find').mockRejectedValueOnce(new Error('x'));
  await call();
  expect([await page.heard(), page.calls()]).toEqual([['calls'], []]);
  warn.mockRestore();
});

describe('live prices', () => {
  const prices = (page: OpenPage) =>
    page.prices().map((each) => Object.values(each).map(({ price }) => price));
  const sendPrices = async (...pages: readonly OpenPage[]) => {
    await app.live.sendPrices();
    for (const page of pages) await page.heard();
  };

  it('a page that shows active calls gets their current prices over its WebSocket, if the viewer has access', async () => {
    const subscriber = await openPage(app, await subscribe('subscriber'));
    const own = await openPage(app, caller);
    const elsewhere = await openPage(app, caller);
    const stranger = await openPage(app, await app.signIn('stranger'));
    const made = await call();
    for (const page of [subscriber, own]) page.send(' prices');
    stranger.send(`${caller.id} prices`);
    elsewhere.send('');
    await control('POST', '/prices', { mint: MINTS.WIF, price: 2.5 });
    await app.advance(LIVE_PRICES_MS);
    await sendPrices(subscriber, own, stranger, elsewhere);
    expect([subscriber, own, stranger, elsewhere].map(prices)).toEqual([[['2.5']], [['2.5']], [], []]);
    expect(Object.keys(own.prices()[0] ?? {})).toEqual([made.id]);
    await endCall({ caller, call: made, price: 3 });
    await sendPrices(own);
    expect(prices(own)).toHaveLength(1);
  });

  it('a page that shows active calls gets no prices if access ends while the prices are read', async () => {
    const page = await openPage(app, await subscribeUntilSoon());
    await call();
    page.send(' prices');
    await page.heard();
    const { livePrices } = app.services.prices;
    vi.spyOn(app.services.prices, 'livePrices').mockImplementation(async (request) => {
      const found = await livePrices(request);
      await app.advance(MINUTE_MS);
      return found;
    });
    await sendPrices(page);
    expect([page.prices(), page.closed()]).toEqual([[], null]);
  });

  it('the prices of active calls are read in random order', async () => {
    const page = await openPage(app, await subscribe('subscriber'));
    for (const mint of [MINTS.WIF, MINTS.JUP]) await call(mint);
    page.send(' prices');
    await page.heard();
    const read = vi.spyOn(app.services.prices, 'livePrices').mockResolvedValue([]);
    for (let round = 0; round < 40; round += 1) await sendPrices(page);
    const firsts = read.mock.calls.map(([{ calls }]) => calls[0]?.mint);
    expect(new Set(firsts)).toEqual(new Set([MINTS.WIF, MINTS.JUP]));
    read.mockRestore();
  });

  it('pages in two hubs share no price, because a fresh one would reveal a call that only the other’s viewer sees', async () => {
    const other = await createCaller(app, 'other_caller');
    const first = await subscribe('viewer');
    const hubOf = ({ id }: Person) => liveHubOf(id);
    // Ids are random, so one of these viewers is in another hub.
    let second = first;
    for (let number = 0; hubOf(second) === hubOf(first); number += 1) {
      second = await app.signIn(`viewer_${number}`);
    }
    await makeCall({ caller: other, mint: MINTS.WIF, price: 2 });
    await call();
    const { livePrices } = app.services.prices;
    let last: Promise<unknown> = Promise.resolve();
    vi.spyOn(app.services.prices, 'livePrices').mockImplementation((request) => {
      // One hub after the other, so that the second one could use the first one's responses.
      const found = last.then(() => livePrices(request));
      last = found;
      return found;
    });
    const requestsWith = async (...pages: readonly OpenPage[]) => {
      for (const page of pages) page.send(`${other.id} prices`);
      for (const page of pages) await page.heard();
      await app.advance(LIVE_PRICES_MS);
      const before = (await requestsTo('jupiter')).length;
      await sendPrices(...pages);
      return (await requestsTo('jupiter')).length - before;
    };
    const page = await openPage(app, first);
    expect(await requestsWith(page)).toBe(1);
    expect(await requestsWith(page, await openPage(app, second))).toBe(2);
  });

  it('a page that shows a Free caller’s active calls gets their prices even if the viewer isn’t a follower', async () => {
    const free = await createCaller(app, 'free_caller');
    const page = await openPage(app, await app.signIn('reader'));
    await makeCall({ caller: free, mint: MINTS.WIF, price: 2 });
    await call(MINTS.JUP);
    page.send(`${free.id} prices`);
    await page.heard();
    await sendPrices(page);
    await query('UPDATE callers SET fee_lamports = 500000000 WHERE caller_id = ?', free.id);
    await sendPrices(page);
    expect(prices(page)).toEqual([['2']]);
  });
});

it('open pages get nothing after a period or a session has ended by the clock, even if all pushes are lost', async () => {
  const subscriber = await openPage(app, await subscribeUntilSoon());
  await call();
  const own = await openPage(app, caller);
  const pages = [subscriber, own];
  for (const page of pages) page.send(' prices');
  for (const page of pages) await page.heard();
  const lost = [vi.spyOn(app.services.live, 'callsChanged'), vi.spyOn(app.services.live, 'peopleChanged')];
  for (const push of lost) push.mockReturnValue();
  const sendPrices = async () => {
    await app.live.sendPrices();
    for (const page of pages) await page.heard();
    return pages.map((page) => [page.prices().length, page.closed()]);
  };
  expect(await sendPrices()).toEqual([
    [1, null],
    [1, null],
  ]);
  await app.advance(MINUTE_MS);
  expect(await sendPrices()).toEqual([
    [1, null],
    [2, null],
  ]);
  await app.advance(SESSION_SLIDING_MS);
  expect(await sendPrices()).toEqual([
    [1, LIVE_CLOSE_CODES.signedOut],
    [2, LIVE_CLOSE_CODES.signedOut],
  ]);
  for (const push of lost) push.mockRestore();
});

it('an event that the cron finds reaches an open page over its WebSocket', async () => {
  const subscriber = await openPage(app, await subscribe('subscriber'));
  const made = await call();
  await subscriber.heard();
  await query(
    `INSERT INTO call_events (id, kind, call_id, caller_id, level, price, at)
     VALUES ('level_hit:1', 'level_hit', ?, ?, 'target', '3', ?)`,
    made.id,
    caller.id,
    app.clock.now(),
  );
  await query(
    `INSERT INTO facts SELECT 0, at, 'level_hit', '1', caller_id FROM call_events WHERE id = 'level_hit:1'`,
  );
  await app.runJobs('messages');
  expect(await subscriber.heard()).toContain('calls');
});

it('an open page gets no calls of a caller after the subscription has lapsed, even before the cron runs', async () => {
  const person = await subscribeUntilSoon();
  const page = await openPage(app, person);
  await call();
  expect(await page.heard()).toEqual(['calls']);
  await app.advance(MINUTE_MS);
  await call(MINTS.JUP);
  expect([await page.heard(), page.closed()]).toEqual([[], null]);
  await pay({ person, callerId: caller.id });
  await page.heard();
  await call(MINTS.BONK);
  expect(await page.heard()).toEqual(['calls']);
});

it('a payment reaches the open pages of subscriber and caller over their WebSockets', async () => {
  const person = await app.signIn('subscriber');
  const [payer, own] = [await openPage(app, person), await openPage(app, caller)];
  await pay({ person, callerId: caller.id });
  expect([await payer.heard(), await own.heard()]).toEqual([['payments'], ['earnings']]);
  await call();
  expect(await payer.heard()).toEqual(['calls']);
});

it('a payment that the cron finds reaches the caller’s open page over its WebSocket', async () => {
  const person = await app.signIn('subscriber');
  const own = await openPage(app, caller);
  const terms = await openIntent(person, caller.id);
  await readResponse(send(person, signPayment({ terms, payer: await createFundedWallet() })));
  expect(await own.heard()).toEqual([]);
  await app.advance(MINUTE_MS);
  await app.runJobs('payments');
  expect(await own.heard()).toContain('earnings');
});

it('an open page gets a message when another page saves a wallet', async () => {
  const page = await openPage(app, caller);
  const walletAddress = (await createFundedWallet(0)).publicKey.toBase58();
  await readResponse(caller.post('/api/user/wallets', { walletAddress }), 201);
  expect(await page.heard()).toEqual(['wallets']);
});

it('an open page that shows a Free caller gets the caller’s new calls until the caller charges', async () => {
  const free = await createCaller(app, 'free_caller');
  const page = await openPage(app, await app.signIn('reader'));
  await makeCall({ caller: free, mint: MINTS.WIF, price: 2 });
  expect(await page.heard()).toEqual([]);
  page.send(free.id);
  await page.heard();
  await makeCall({ caller: free, mint: MINTS.JUP, price: 2 });
  expect(await page.heard()).toEqual(['calls']);
  await query('UPDATE callers SET fee_lamports = 500000000 WHERE caller_id = ?', free.id);
  await makeCall({ caller: free, mint: MINTS.BONK, price: 2 });
  expect(await page.heard()).toEqual([]);
  page.send(caller.id);
  await page.heard();
  await call();
  expect(await page.heard()).toEqual([]);
});

it('an open page gets a caller’s events right after Follow, and none after Unfollow', async () => {
  const free = await createCaller(app, 'free_caller');
  const reader = await app.signIn('reader');
  const page = await openPage(app, reader);
  await readResponse(reader.post('/api/subscriptions/free', { callerId: free.id }), 201);
  await makeCall({ caller: free, mint: MINTS.WIF, price: 2 });
  expect(await page.heard()).toEqual(['payments', 'calls']);
  await readResponse(reader.delete(`/api/subscriptions/free/${free.id}`));
  await page.heard();
  await makeCall({ caller: free, mint: MINTS.JUP, price: 2 });
  expect(await page.heard()).toEqual([]);
});

it('a page’s WebSocket is closed at the next event after its session has expired', async () => {
  const person = await subscribe('subscriber');
  const page = await openPage(app, person);
  await query('UPDATE sessions SET expires_at = ? WHERE user_id = ?', app.clock.now(), person.id);
  await call();
  expect([await page.heard(), page.closed()]).toEqual([[], LIVE_CLOSE_CODES.signedOut]);
});

const sessionsOf = (person: Person) => readResponse<{ id: string }[]>(person.get('/api/user/ways'));

it.each(
  Object.entries<(here: Person, there: Person) => Promise<unknown>>({
    'signs out': (_here, { cookie }) =>
      app.request('/api/logout', { cookie, headers: { 'Sec-Fetch-Site': 'same-origin' } }),
    'ends the page’s session from another browser': async (here) =>
      here.delete(`/api/user/ways/${(await sessionsOf(here))[1]?.id}`),
  }),
)(
  'a page’s WebSocket is closed immediately if the user %s, and the other session’s page stays connected',
  async (_how, end) => {
    // No other test changes this account on X, so both sign-ins are the same person.
    const here = await app.signIn('two_browsers');
    const there = await app.signIn('two_browsers', { cookie: '' });
    expect(there.id).toBe(here.id);
    const [open, ended] = [await openPage(app, here), await openPage(app, there)];
    await end(here, there);
    const heard: string[] = [];
    await vi.waitFor(async () => {
      heard.push(...(await open.heard()));
      expect([heard, ended.closed()]).toEqual([['sessions'], LIVE_CLOSE_CODES.signedOut]);
    });
    expect([await ended.heard(), open.closed()]).toEqual([[], null]);
  },
);

it('all WebSockets are closed immediately if the user ends all other sessions, because the own session is replaced', async () => {
  const here = await app.signIn('two_browsers');
  const there = await app.signIn('two_browsers', { cookie: '' });
  const pages = [await openPage(app, here), await openPage(app, there)];
  await readResponse(here.post('/api/user/ways/end-others', { keep: [] }));
  await vi.waitFor(() =>
    expect(pages.map((page) => page.closed())).toEqual([
      LIVE_CLOSE_CODES.signedOut,
      LIVE_CLOSE_CODES.signedOut,
    ]),
  );
  expect((await openPage(app, here)).closed()).toBeNull();
});

it('a page’s WebSocket is closed immediately if the user deletes the account', async () => {
  const person = await app.signIn('reader');
  const page = await openPage(app, person);
  await readResponse(person.post('/api/user/deletion', { handle: 'reader' }));
  expect([await page.heard(), page.closed()]).toEqual([[], LIVE_CLOSE_CODES.signedOut]);
});

it('an open page still gets events after the hub of its WebSocket has hibernated', async () => {
  const page = await openPage(app, await subscribe('subscriber'));
  await page.heard();
  await app.live.sleep();
  await call();
  expect(await page.heard()).toEqual(['calls']);
});

it('a page’s WebSocket is closed if the page sends a long message or too many messages', async () => {
  const [long, many] = [await openPage(app, caller), await openPage(app, caller)];
  long.send('x'.repeat(65));
  for (let sent = 0; sent <= 60; sent += 1) many.send(caller.id);
  await vi.waitFor(() => expect([long.closed(), many.closed()]).toEqual([4400, 4400]));
});

it('a WebSocket request is refused without a session, from another site, or without an Upgrade header', async () => {
  await expectRefusal(requestLive(app, {}), 'auth.required');
  const { cookie } = caller;
  await expectRefusal(requestLive(app, { cookie, Origin: 'https://other.example' }), 'request.cross_site');
  await expectRefusal(requestLive(app, { cookie, Origin: 'null' }), 'request.cross_site');
  await expectRefusal(requestLive(app, { cookie, Upgrade: '' }), 'request.invalid');
});

it('a user’s excess WebSocket replaces the oldest, and an address’s excess WebSocket is refused', async () => {
  const { perPerson, perAddress } = MAX_LIVE_CONNECTIONS;
  const pages: OpenPage[] = [];
  for (let opened = 0; opened <= perPerson; opened += 1) pages.push(await openPage(app, caller));
  await vi.waitFor(() => expect(pages[0]?.closed()).toBe(LIVE_CLOSE_CODES.replaced));
  expect(pages.slice(1).map((page) => page.closed())).toEqual(pages.slice(1).map(() => null));
  const join = vi.spyOn(app.services.live, 'join');
  join.mockResolvedValue(new Response(null, { status: 429 }));
  await expectRefusal(requestLive(app, { cookie: caller.cookie }), 'request.too_many');
  join.mockRestore();
  const sockets = {
    acceptWebSocket: vi.fn(),
    getWebSockets: (tag?: string) => (tag === 'address 192.0.2.9' ? Array(perAddress).fill(null) : []),
  };
  const hub = app.services.openLiveHub({ sockets, wakeAt: async () => undefined });
  const headers = { 'X-User': caller.id, 'X-Session': 'x', 'X-Address': '192.0.2.9' };
  expect((await hub.join(new Request('https://hub/', { headers }))).status).toBe(429);
  expect(sockets.acceptWebSocket).not.toHaveBeenCalled();
});

it('a request that changes data succeeds even if the WebSocket hubs fail or never respond', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const fail = {
    callsChanged: () => Promise.reject(new Error('x')),
    peopleChanged: () => new Promise(() => {}),
  };
  const LIVE = { getByName: () => fail } as unknown as (typeof testEnv)['LIVE'];
  const broken = await createTestApp({ bindings: { LIVE } });
  const other = await createCaller(broken, 'other_caller');
  await makeCall({ caller: other, mint: MINTS.WIF, price: 2 });
  const walletAddress = (await createFundedWallet(0)).publicKey.toBase58();
  await readResponse(other.post('/api/user/wallets', { walletAddress }), 201);
  expect(warn.mock.calls.some(([line]) => String(line).includes('live.unreachable'))).toBe(true);
  warn.mockRestore();
});
