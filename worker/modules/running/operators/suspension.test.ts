import { beforeEach, expect, it } from 'vitest';
import type { CallerProfile } from '#schema/contracts/callers.ts';
import type { MySubscription, Subscription } from '#schema/contracts/subscriptions.ts';
import { createSharedCache } from '#dev/stand-ins/cache/shared-cache.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#schema/constants/time.ts';
import { expectRefusal, expectRefusalWithoutTrace, readResponse } from '#test/responses.ts';
import {
  callBody,
  createCaller,
  createPaidCaller,
  endCall,
  makeCall,
  makeEndedCall,
  MINTS,
} from '#test/people/callers.ts';
import { createFundedWallet } from '#test/payments/chain.ts';
import { act, createOperatedApp } from '#test/people/operators.ts';
import {
  claimBody,
  land,
  openIntent,
  pay,
  waitUntilConfirmed,
  send,
  signPayment,
} from '#test/payments/payments.ts';
import { connectTelegram, writtenTo } from '#test/messages/telegram.ts';
import type { Person, TestApp } from '#test/test-app.ts';

const RECENT_FEED = '/feeds/recent-calls.xml';
const OWN_FEED = '/caller/paid_caller/feed.xml';

let app: TestApp;
let operator: Person;
let caller: Person;
let subscriber: Person;
let stranger: Person;

beforeEach(async () => {
  ({ app, operator } = await createOperatedApp());
  ({ caller } = await createPaidCaller(app, { handle: 'paid_caller' }));
  subscriber = await app.signIn('subscriber');
  stranger = await app.signIn('stranger');
  await pay({ person: subscriber, callerId: caller.id });
});

const openPayment = (person: Person) =>
  person.post('/api/solana/get-latest-blockhash', { callerId: caller.id });
const follow = (person: Person, callerId: string) => person.post('/api/subscriptions/free', { callerId });
const suspend = () => act(operator, { action: 'suspend', subjectId: caller.id });
const hide = () => act(operator, { action: 'hide_caller', subjectId: caller.id });
const statusOf = async (path: string, viewer: Person | null) =>
  (await app.request(path, { cookie: viewer?.cookie })).status;
const lists = () => [
  '/api/callers',
  '/api/callers?search=paid_caller',
  '/api/callers?sort=fee&paid=true',
  '/api/callers?sort=lastCall&maxFee=1',
  '/api/token-calls/ended',
  '/',
  '/recent-calls',
  RECENT_FEED,
  '/sitemap-callers.xml',
];
const listsWith = async (text: string) => {
  const found: string[] = [];
  for (const path of lists()) {
    const response = await app.request(path);
    // A sitemap part without callers returns 404.
    expect([path, response.status]).toEqual([path, path.includes('sitemap') ? response.status : 200]);
    if ((await response.text()).includes(text)) found.push(path);
  }
  return found;
};
/** The ids of the calls in a feed, newest first; the status if there is no feed. */
const callsIn = async (feed: string, viewer: Person | null = null) => {
  const response = await app.request(feed, { cookie: viewer?.cookie });
  if (response.status !== 200) return response.status;
  return [...(await response.text()).matchAll(/<link>[^<]*\/call\/([^<]+)<\/link>/g)].map(([, id]) => id);
};

it('a suspended caller disappears from all lists and returns after the suspension', async () => {
  await makeEndedCall({ caller, mint: MINTS.BONK });
  expect(await listsWith('paid_caller')).toEqual(lists());
  await suspend();
  expect(await listsWith('paid_caller')).toEqual([]);
  await act(operator, { action: 'unsuspend', subjectId: caller.id });
  expect(await listsWith('paid_caller')).toEqual(lists());
});

it('the page of a suspended caller shows the suspension and still has the ended calls', async () => {
  const call = await makeEndedCall({ caller, mint: MINTS.BONK });
  await suspend();
  for (const viewer of [null, stranger, subscriber, caller]) {
    const profile = await readResponse<CallerProfile>(
      app.request('/api/callers/paid_caller', { cookie: viewer?.cookie }),
    );
    expect(profile).toMatchObject({ isSuspended: true, canBeSubscribed: false, endedCalls: 1 });
    expect(await statusOf(`/api/token-calls/${call.id}`, viewer)).toBe(200);
  }
  expect(await (await app.request('/caller/paid_caller')).text()).toContain('This caller is suspended');
  expect(await (await app.request(`/api/token-calls/caller/${caller.id}/history`)).text()).toContain(call.id);
});

it('a suspended caller still has their own feed, but isn’t in the feed of recent calls', async () => {
  const other = await createCaller(app, 'other_caller');
  const others = await makeEndedCall({ caller: other, mint: MINTS.JUP });
  await app.advance(MINUTE_MS);
  const before = await makeEndedCall({ caller, mint: MINTS.BONK });
  await app.advance(MINUTE_MS);
  const open = await makeCall({ caller, mint: MINTS.WIF, price: 2 });
  const tag = (await app.request(RECENT_FEED)).headers.get('ETag') ?? '';
  await suspend();
  expect(await callsIn(OWN_FEED)).toEqual([before.id]);
  const ended = await endCall({ caller, call: open, price: 3 });
  expect(await callsIn(OWN_FEED)).toEqual([ended.id, before.id]);
  for (const viewer of [null, subscriber, caller]) {
    expect(await callsIn(RECENT_FEED, viewer)).toEqual([others.id]);
  }
  const known = await app.request(RECENT_FEED, { headers: { 'If-None-Match': tag } });
  expect(known.status).toBe(200);
  await act(operator, { action: 'unsuspend', subjectId: caller.id });
  expect(await callsIn(RECENT_FEED)).toEqual([ended.id, before.id, others.id]);
});

it('payments and renewals to a suspended caller are refused and write nothing', async () => {
  await suspend();
  for (const person of [stranger, subscriber]) {
    await expectRefusalWithoutTrace(() => openPayment(person), 'subscriptions.caller_suspended');
  }
  expect(await readResponse<MySubscription[]>(subscriber.get('/api/subscriptions/my'))).toMatchObject([
    { isCurrentlyActive: true, canBeSubscribed: false },
  ]);
});

it('a payment opened before a suspension is not sent by us, but counts if it lands anyway', async () => {
  const terms = await openIntent(stranger, caller.id);
  await suspend();
  const signed = signPayment({ terms, payer: await createFundedWallet() });
  await expectRefusal(send(stranger, signed), 'subscriptions.caller_suspended');
  const signature = await land(signed);
  await waitUntilConfirmed(app);
  const paid = await readResponse<Subscription>(
    stranger.post('/api/subscriptions', claimBody({ terms, callerId: caller.id, signature })),
    201,
  );
  expect(paid.isCurrentlyActive).toBe(true);
  expect(await statusOf(`/api/token-calls/caller/${caller.id}/active`, stranger)).toBe(200);
});

it('a suspended caller can’t open calls, but can update and end active calls', async () => {
  const chatId = await connectTelegram(app, subscriber);
  const call = await makeCall({ caller, mint: MINTS.WIF, price: 2 });
  await app.sender.deliver();
  await suspend();
  await expectRefusalWithoutTrace(
    () => caller.post('/api/token-calls', callBody({ caller, mint: MINTS.BONK, entryPrice: '1' })),
    'users.suspended',
  );
  const active = await readResponse<{ id: string }[]>(
    subscriber.get(`/api/token-calls/caller/${caller.id}/active`),
  );
  expect(active.map(({ id }) => id)).toEqual([call.id]);
  await readResponse(caller.post('/api/telegram/send-update', { callId: call.id, message: 'Out soon.' }));
  await endCall({ caller, call, price: 3 });
  await app.sender.deliver();
  expect(await writtenTo(chatId)).toHaveLength(3);
});

it('a suspended Free caller gets no new followers, and shows active calls only to current followers', async () => {
  const free = await createCaller(app, 'free_caller');
  const follower = await app.signIn('follower');
  await readResponse(follow(follower, free.id), 201);
  const call = await makeCall({ caller: free, mint: MINTS.WIF, price: 2 });
  expect(await statusOf(`/api/token-calls/${call.id}`, stranger)).toBe(200);
  await act(operator, { action: 'suspend', subjectId: free.id });
  await expectRefusalWithoutTrace(() => follow(stranger, free.id), 'subscriptions.caller_suspended');
  expect(await statusOf(`/api/token-calls/${call.id}`, follower)).toBe(200);
  expect(await statusOf(`/api/token-calls/${call.id}`, stranger)).toBe(404);
  expect(await statusOf(`/api/token-calls/caller/${free.id}/active`, stranger)).toBe(403);
  await readResponse(follower.delete(`/api/subscriptions/free/${free.id}`));
  expect(await statusOf(`/api/token-calls/${call.id}`, follower)).toBe(404);
});

it('after a suspension, a request with an old ETag gets a new response', async () => {
  await makeCall({ caller, mint: MINTS.WIF, price: 2 });
  const paths = ['/api/callers/paid_caller', `/api/token-calls/caller/${caller.id}/active`];
  for (const path of paths) {
    const tag = (await subscriber.get(path)).headers.get('ETag') ?? '';
    await suspend();
    const poll = await app.request(path, { cookie: subscriber.cookie, headers: { 'If-None-Match': tag } });
    expect([path, poll.status]).toEqual([path, 200]);
    await act(operator, { action: 'unsuspend', subjectId: caller.id });
  }
});

it('requests about a hidden caller return 404, except to that caller and current subscribers', async () => {
  const ended = await makeEndedCall({ caller, mint: MINTS.BONK });
  const active = await makeCall({ caller, mint: MINTS.WIF, price: 2 });
  await hide();
  const paths = [
    `/api/callers/${caller.id}`,
    '/api/callers/paid_caller/statistics',
    `/api/token-calls/caller/${caller.id}`,
    `/api/token-calls/caller/${caller.id}/history`,
    `/api/token-calls/caller/${caller.id}/active`,
    `/api/token-calls/${ended.id}`,
    `/api/token-calls/${ended.id}/chart`,
    `/api/token-calls/${active.id}`,
  ];
  for (const path of paths) {
    const unknown = path.replace(/paid_caller|[\da-v]{20}/, 'f'.repeat(20));
    for (const viewer of [stranger, null]) {
      const cookie = { cookie: viewer?.cookie };
      const response = await app.request(path, cookie);
      expect([path, response.status]).toEqual([path, 404]);
      expect(await response.text()).toBe(await (await app.request(unknown, cookie)).text());
    }
    expect([path, await statusOf(path, subscriber)]).toEqual([path, 200]);
    expect([path, await statusOf(path, caller)]).toEqual([path, 200]);
  }
  const publicPaths = [
    '/caller/paid_caller',
    OWN_FEED,
    `/call/${ended.id}`,
    '/api/callers/paid_caller/card.png',
    `/api/token-calls/${ended.id}/share.png`,
    `/api/images/callers/${caller.id}/0`,
  ];
  for (const path of publicPaths) expect([path, await statusOf(path, null)]).toEqual([path, 404]);
  expect(await listsWith('paid_caller')).toEqual([]);
  const sitemap = `/sitemap-calls-${new Date(app.clock.now()).toISOString().slice(0, 10)}.xml`;
  expect(await (await app.request(sitemap)).text()).not.toContain(ended.id);
  await app.advance(30 * DAY_MS);
  subscriber = await app.signIn('subscriber');
  for (const path of paths) expect([path, await statusOf(path, subscriber)]).toEqual([path, 404]);
  expect(await readResponse(subscriber.get('/api/subscriptions/calls'))).toEqual([]);
});

it('a hidden caller is gone from cached lists, pages and feeds in 40 s, and from images and sitemaps in an hour', async () => {
  const ended = await makeEndedCall({ caller, mint: MINTS.BONK });
  await app.advance(MINUTE_MS);
  const { profileImageUrl } = await readResponse<CallerProfile>(app.request(`/api/callers/${caller.id}`));
  const cached = createSharedCache({
    now: () => app.clock.now(),
    origin: (request) => app.request(new URL(request.url).pathname, { isFollowing: false }),
  });
  const shows = async (path: string) => {
    const response = await cached(new Request(`https://solcallers.test${path}`));
    const text = response.status === 200 ? new TextDecoder().decode(await response.arrayBuffer()) : '';
    return images.includes(path) ? text !== '' : /paid_caller/.test(text) || text.includes(ended.id);
  };
  const lists = ['/api/callers', '/caller/paid_caller', OWN_FEED, RECENT_FEED];
  const images = [
    '/api/callers/paid_caller/card.png',
    `/api/token-calls/${ended.id}/share.png`,
    profileImageUrl ?? '',
  ];
  const showing = async (paths: readonly string[]) => {
    const shown = await Promise.all(paths.map(shows));
    return paths.filter((_, index) => shown[index]);
  };
  const sitemap = `/sitemap-calls-${new Date(app.clock.now()).toISOString().slice(0, 10)}.xml`;
  const slow = [...images, sitemap];
  expect(await showing([...lists, ...slow])).toEqual([...lists, ...slow]);
  await hide();
  await app.advance(40 * SECOND_MS);
  expect(await showing(lists)).toEqual([]);
  await app.advance(HOUR_MS - 40 * SECOND_MS);
  expect(await showing(slow)).toEqual([]);
});

it('a hidden caller looks unknown to strangers who follow, pay or report, and subscribers can’t pay either', async () => {
  await hide();
  await expectRefusalWithoutTrace(() => openPayment(stranger), 'callers.not_found');
  await expectRefusalWithoutTrace(() => follow(stranger, caller.id), 'callers.not_found');
  await expectRefusalWithoutTrace(
    () => stranger.post('/api/reports', { kind: 'caller', id: caller.id, reason: 'scam' }),
    'reports.not_found',
  );
  await expectRefusal(openPayment(subscriber), 'subscriptions.caller_suspended');
});

it('a profile does not name a hidden caller as its better-known look-alike', async () => {
  await act(operator, { action: 'verify', subjectId: caller.id });
  const copy = await createCaller(app, 'paid_ca11er');
  const lookAlike = async () => {
    await app.advance(60_000);
    return (await readResponse<CallerProfile>(stranger.get(`/api/callers/${copy.id}`))).lookAlike?.id ?? null;
  };
  expect(await lookAlike()).toBe(caller.id);
  await hide();
  expect(await lookAlike()).toBeNull();
});
