import { QueryObserver, type QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { LIVE_CLOSE_CODES } from '#schema/constants/messages.ts';
import { SECOND_MS } from '#schema/constants/time.ts';
import { LIVE_PING_MS, LIVE_REFRESH_MS, POLL_MS } from '#schema/constants/web.ts';
import type { CallDetail } from '#schema/contracts/calls.ts';
import { refuse, stubApi } from '#web/testing/fake-api.ts';
import { activeCall, activeCallDetail, adaListed, adaProfile, endedCall } from '#web/testing/samples.ts';
import { activeCallsQuery, callQuery } from './calls.queries.ts';
import { keepLive } from './live.ts';
import { createQueryClient } from './query-client.ts';
import { followedCallsQuery } from './subscriptions.queries.ts';
import { walletsQuery } from './wallets.queries.ts';

class FakeSocket extends EventTarget {
  static readonly OPEN = 1;
  static all: FakeSocket[] = [];
  readyState = 0;
  sent: string[] = [];
  isClosed = false;
  readonly url: URL;
  constructor(url: URL) {
    super();
    this.url = url;
    FakeSocket.all.push(this);
  }
  send(text: string) {
    this.sent.push(text);
  }
  close() {
    this.isClosed = true;
  }
  accept() {
    this.readyState = FakeSocket.OPEN;
    this.dispatchEvent(new Event('open'));
  }
  receive(data: string) {
    this.dispatchEvent(new MessageEvent('message', { data }));
  }
  drop(code = 1006) {
    this.dispatchEvent(Object.assign(new Event('close'), { code }));
  }
}

interface Message {
  readonly caller?: object | null;
  readonly isFollowed?: boolean;
}

const realSocket = globalThis.WebSocket;
const advance = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const CALLS = 'GET /api/subscriptions/calls';
const WALLETS = 'GET /api/user/wallets';
let queryClient: QueryClient;
let stop: () => void;
let followed: unknown[];
let requests: ReturnType<typeof stubApi>;
const count = (route: string) => requests.filter((request) => request.route === route).length;
const last = () => {
  const socket = FakeSocket.all.at(-1);
  if (!socket) throw new Error('There is no WebSocket');
  return socket;
};

async function connect() {
  last().accept();
  await advance(SECOND_MS);
}

/** Sends the message about a call to a follower of its caller. */
const receiveCall = (call: Partial<CallDetail>, { caller = null, isFollowed = true }: Message = {}) =>
  last().receive(JSON.stringify({ call: { ...activeCallDetail, ...call }, caller, isFollowed }));

function setVisibility(state: 'visible' | 'hidden') {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
  document.dispatchEvent(new Event('visibilitychange'));
}

beforeEach(async () => {
  vi.useFakeTimers();
  globalThis.WebSocket = FakeSocket as unknown as typeof WebSocket;
  FakeSocket.all = [];
  followed = [];
  requests = stubApi({
    [CALLS]: () => followed,
    [WALLETS]: [],
    'GET /api/dashboard': { '/api/subscriptions/calls': { body: [], link: null } },
    'GET /api/token-calls/caller/ada/active': [],
  });
  queryClient = createQueryClient();
  const observers = [
    new QueryObserver(queryClient, followedCallsQuery),
    new QueryObserver(queryClient, walletsQuery),
  ];
  const ends = observers.map((observer) => observer.subscribe(() => undefined));
  const end = keepLive(queryClient);
  stop = () => [...ends, end].forEach((each) => each());
  await advance(0);
});

afterEach(() => {
  stop();
  queryClient.clear();
  globalThis.WebSocket = realSocket;
});

it('a live page stops polling when it is connected, after fetching everything again', async () => {
  expect(last().url.pathname).toBe('/api/live');
  await advance(POLL_MS.wallets);
  expect([count(WALLETS), count(CALLS)]).toEqual([2, 1]);
  await connect();
  expect([count(WALLETS), count(CALLS)]).toEqual([3, 2]);
  last().receive('pong');
  await advance(LIVE_PING_MS - 10 * SECOND_MS);
  expect([count(WALLETS), count(CALLS)]).toEqual([3, 2]);
});

it('a live dashboard fetches everything again in one request, but not what a message says has changed', async () => {
  window.history.replaceState(null, '', '/dashboard');
  const before = [count('GET /api/dashboard'), count(CALLS)];
  await connect();
  expect([count('GET /api/dashboard'), count(CALLS)]).toEqual([1, before[1]]);
  last().accept();
  last().receive('calls');
  await advance(SECOND_MS);
  window.history.replaceState(null, '', '/');
  expect([count('GET /api/dashboard'), count(CALLS)]).toEqual([2, Number(before[1]) + 1]);
});

it('a live page fetches the data named by messages only once a second', async () => {
  await connect();
  const before = [count(WALLETS), count(CALLS)];
  for (let sent = 0; sent < 5; sent += 1) last().receive('calls');
  await advance(SECOND_MS - 1);
  expect([count(WALLETS), count(CALLS)]).toEqual([before[0], Number(before[1]) + 1]);
  last().receive('wallets');
  last().receive('unknown to this version');
  await advance(SECOND_MS - 1);
  expect(count(WALLETS)).toBe(Number(before[0]) + 1);
});

it('a live page shows a new, updated or ended call from the message without a request', async () => {
  const price = { price: '3', at: '2026-07-01T00:00:00.000Z', source: 'jupiter' };
  followed = [{ ...activeCall, lastPrice: price }, endedCall];
  await connect();
  const before = requests.length;
  const listed = () =>
    queryClient
      .getQueryData(followedCallsQuery.queryKey)
      ?.map(({ id, isActive, lastPrice }) => [id, isActive, lastPrice?.price]);
  const old = [endedCall.id, false, undefined];
  receiveCall({ id: 'new' });
  expect(listed()).toEqual([['new', true, undefined], [activeCall.id, true, '3'], old]);
  receiveCall({ thesis: 'Half is sold.' });
  receiveCall({ id: 'not followed' }, { isFollowed: false });
  expect(listed()).toEqual([['new', true, undefined], [activeCall.id, true, '3'], old]);
  receiveCall({ isActive: false, endPrice: '4' });
  expect(listed()).toEqual([['new', true, undefined], [activeCall.id, false, undefined], old]);
  await advance(20 * SECOND_MS);
  expect(requests.slice(before).filter(({ route }) => route === CALLS)).toEqual([]);
});

it('a live page fetches its calls again if a message arrives while they are being fetched', async () => {
  followed = [activeCall];
  await connect();
  const before = count(CALLS);
  const old = Promise.withResolvers<unknown>();
  followed = old.promise as never;
  void queryClient.refetchQueries({ queryKey: followedCallsQuery.queryKey });
  receiveCall({ id: 'new' });
  followed = [{ ...activeCall, id: 'new' }, activeCall];
  old.resolve([activeCall]);
  await advance(SECOND_MS);
  expect(count(CALLS)).toBe(before + 2);
  expect(queryClient.getQueryData(followedCallsQuery.queryKey)?.[0]?.id).toBe('new');
});

it('a live page updates a caller’s figures from the message, but not the viewer’s own data', async () => {
  const key = ['callers', 'profile', 'ada'];
  queryClient.setQueryData(key, adaProfile);
  last().accept();
  const { recentCalls: _, ...caller } = adaListed;
  const changed = { ...caller, totalCalls: 12, endedCalls: 9 };
  receiveCall({}, { caller: changed });
  expect(queryClient.getQueryData(key)).toEqual({ ...adaProfile, ...changed, activeCallCount: 3 });
});

it('a live page does not repeat a failed query when it connects', async () => {
  const id = 'nothing';
  requests = stubApi({
    [CALLS]: () => followed,
    [`GET /api/token-calls/${id}`]: () => refuse(404, 'call.not_found', 'Call not found.'),
  });
  const end = new QueryObserver(queryClient, callQuery(id)).subscribe(() => undefined);
  await advance(0);
  await connect();
  expect([count(CALLS), count(`GET /api/token-calls/${id}`)]).toEqual([1, 1]);
  end();
});

it('a live page that shows active calls gets their prices by message instead of polling', async () => {
  followed = [activeCall];
  await connect();
  expect(last().sent).toEqual([' prices']);
  const before = requests.length;
  const price = { price: '7', at: '2030-07-01T00:00:00.000Z', source: 'jupiter' };
  last().receive(JSON.stringify({ prices: { [activeCall.id]: price, other: price } }));
  await advance(2 * POLL_MS.subscriptionCalls);
  const listed = queryClient.getQueryData(followedCallsQuery.queryKey);
  expect(listed).toEqual([{ ...activeCall, lastPrice: price }]);
  expect(requests.length).toBe(before);
  receiveCall({ isActive: false });
  expect(last().sent).toEqual([' prices', '']);
});

it('a live page polls after a lost connection, and fetches everything when it is connected again', async () => {
  await connect();
  last().drop();
  const before = count(WALLETS);
  await advance(POLL_MS.wallets);
  expect([count(WALLETS), FakeSocket.all.length]).toEqual([before + 1, 2]);
  await connect();
  expect(count(WALLETS)).toBe(before + 2);
});

it('a live page waits longer after each failed connection, up to a minute, with jitter', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(1);
  const pauses: number[] = [];
  for (let failure = 0; failure < 8; failure += 1) {
    const opened = FakeSocket.all.length;
    last().drop();
    let waited = 0;
    while (FakeSocket.all.length === opened) {
      await advance(SECOND_MS);
      waited += 1;
    }
    pauses.push(waited);
  }
  expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const opened = FakeSocket.all.length;
  last().drop();
  await advance(30 * SECOND_MS);
  expect(FakeSocket.all.length).toBe(opened + 1);
});

it('a live page notices a dead connection by a missing response to its ping', async () => {
  last().accept();
  const first = last();
  await advance(LIVE_PING_MS);
  expect(first.sent).toEqual(['ping']);
  first.receive('pong');
  await advance(2 * LIVE_PING_MS + SECOND_MS);
  expect([first.isClosed, FakeSocket.all.length]).toEqual([true, 2]);
});

it('a live page closes its connection while it is hidden, and connects again when it is shown', async () => {
  await connect();
  setVisibility('hidden');
  expect(last().isClosed).toBe(true);
  await advance(10 * 60 * SECOND_MS);
  expect(FakeSocket.all).toHaveLength(1);
  setVisibility('visible');
  expect(FakeSocket.all).toHaveLength(2);
  const before = count(CALLS);
  await connect();
  expect(count(CALLS)).toBeGreaterThan(before);
});

it.each(['signedOut', 'replaced'] as const)(
  'a live page polls instead of reconnecting after the close code %s',
  async (name) => {
    last().accept();
    await advance(SECOND_MS);
    const before = count(WALLETS);
    last().drop(LIVE_CLOSE_CODES[name]);
    await advance(2 * POLL_MS.wallets);
    expect([FakeSocket.all.length, count(WALLETS)]).toEqual([1, before + 2]);
  },
);

it('a live page refetches its data every five minutes, in case a message got lost', async () => {
  await connect();
  const before = count(WALLETS);
  for (let waited = 0; waited < LIVE_REFRESH_MS; waited += LIVE_PING_MS) {
    await advance(LIVE_PING_MS);
    last().receive('pong');
  }
  expect(count(WALLETS)).toBe(before + 1);
});

it('a live page sends the id of the shown caller again after a reconnection', async () => {
  last().accept();
  const end = new QueryObserver(queryClient, activeCallsQuery('ada')).subscribe(() => undefined);
  await advance(0);
  expect(last().sent).toEqual(['ada']);
  last().drop();
  await advance(2 * SECOND_MS);
  last().accept();
  expect(last().sent).toEqual(['ada']);
  end();
  await advance(0);
  expect(last().sent).toEqual(['ada', '']);
});
