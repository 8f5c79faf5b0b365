import type { Query, QueryClient, QueryKey } from '@tanstack/react-query';
import { LIVE_CLOSE_CODES, type LIVE_TOPICS } from '#schema/constants/messages.ts';
import { SECOND_MS } from '#schema/constants/time.ts';
import { LIVE_PING_MS, LIVE_REFRESH_MS } from '#schema/constants/web.ts';
import type { LiveMessage } from '#schema/contracts/live.ts';
import { callQuery } from './calls.queries.ts';
import { findPricedQueries, showChangedCall, showPrices } from './live-calls.ts';
import { fetchDashboard, forgetDashboard } from './client.ts';
import { liveState } from './live-state.ts';

type Topic = (typeof LIVE_TOPICS)[number];

const QUERIES: Readonly<Record<Topic, readonly QueryKey[]>> = {
  calls: [
    ['token-calls', 'caller'],
    ['token-calls', 'one'],
    ['subscriptions', 'calls'],
    ['callers', 'profile'],
    ['telegram', 'deliveries'],
  ],
  payments: [['subscriptions'], ['payments'], ['callers', 'profile'], ['token-calls', 'caller']],
  earnings: [['callers', 'profile'], ['payments']],
  wallets: [
    ['user', 'wallets'],
    ['user', 'payout-changes'],
    ['auth', 'user'],
  ],
  sessions: [
    ['user', 'ways'],
    ['user', 'webhook'],
    ['auth', 'user'],
  ],
};

/**
 * Pages delay their requests by a random part of these times, because an event reaches thousands of pages at
 * once. `late`: for data that the message about a changed call doesn't contain.
 */
const SPREAD_MS = { soon: 300, late: 30 * SECOND_MS };
const ALL = Object.values(QUERIES).flat();
const FIRST_PAUSE_MS = SECOND_MS;
const MAX_PAUSE_MS = 60 * SECOND_MS;

const FINAL_CODES: ReadonlySet<number> = new Set([LIVE_CLOSE_CODES.signedOut, LIVE_CLOSE_CODES.replaced]);

const isTopic = (data: unknown): data is Topic => typeof data === 'string' && Object.hasOwn(QUERIES, data);

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The hub writes `LiveMessage`s.
const readMessage = (json: string) => JSON.parse(json) as LiveMessage;

/**
 * Keeps a WebSocket open while the page is shown. Shows the calls that the server sends, and refetches other data that it
 * reports as changed.
 * After each connection it refetches everything once, because earlier events may be missing. Without a
 * connection, the page polls.
 * @returns a function that closes the WebSocket
 */
export function keepLive(queryClient: QueryClient): () => void {
  const refetch = createRefetch(queryClient, SPREAD_MS.soon);
  const changedCalls = createChangedCalls(queryClient, refetch);
  let socket: WebSocket | null = null;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let isAwaited = false;

  const sendShown = watchShown(queryClient, (shown) => {
    if (socket?.readyState === WebSocket.OPEN) socket.send(shown);
  });
  const drop = () => {
    const dropped = socket;
    socket = null;
    clearTimeout(retry);
    setLive(queryClient, false);
    dropped?.close();
  };
  const connect = () => {
    clearTimeout(retry);
    if (socket !== null || document.visibilityState === 'hidden') return;
    const opening = new WebSocket(new URL('/api/live', window.location.href.replace(/^http/, 'ws')));
    socket = opening;
    isAwaited = true;
    opening.addEventListener('open', () => {
      if (socket !== opening) return;
      isAwaited = false;
      setLive(queryClient, true);
      sendShown.again();
      if (window.location.pathname === '/dashboard') fetchDashboard();
      refetch.soon(...ALL);
    });
    opening.addEventListener('message', ({ data }) => {
      isAwaited = false;
      if (data === 'pong') {
        failures = 0;
        return;
      }
      forgetDashboard();
      if (String(data).startsWith('{')) changedCalls.show(readMessage(String(data)));
      else if (isTopic(data)) refetch.soon(...QUERIES[data]);
    });
    opening.addEventListener('close', ({ code }) => socket === opening && lose(code));
  };
  const lose = (code: number) => {
    drop();
    if (FINAL_CODES.has(code)) return;
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** failures, MAX_PAUSE_MS);
    failures += 1;
    retry = setTimeout(connect, pause * (0.5 + Math.random() / 2));
  };
  const ping = setInterval(() => {
    if (socket === null) return;
    if (isAwaited) return lose(0);
    isAwaited = true;
    socket.send('ping');
  }, LIVE_PING_MS);
  const refresh = setInterval(() => liveState.isOn && refetch.soon(...ALL), LIVE_REFRESH_MS);
  const followVisibility = () => {
    failures = 0;
    if (document.visibilityState === 'hidden') drop();
    else connect();
  };
  document.addEventListener('visibilitychange', followVisibility);
  connect();
  return () => {
    document.removeEventListener('visibilitychange', followVisibility);
    clearInterval(ping);
    clearInterval(refresh);
    sendShown.stop();
    refetch.stop();
    changedCalls.stop();
    drop();
  };
}

/** Makes queries read their refetch interval now. Otherwise they read it only when they change. */
function setLive(queryClient: QueryClient, isOn: boolean): void {
  if (liveState.isOn === isOn) return;
  liveState.isOn = isOn;
  for (const { observers } of queryClient.getQueryCache().getAll()) {
    for (const observer of observers) observer.setOptions(observer.options);
  }
}

function createRefetch(queryClient: QueryClient, spreadMs: number) {
  let keys: QueryKey[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const refetch = () => {
    timer = undefined;
    const changed = keys;
    keys = [];
    // Invalidate in one call, because a query that is invalidated twice is fetched twice. Leave out failed
    // queries, because refetching would replace their message and button with skeletons.
    void queryClient.invalidateQueries({
      predicate: ({ queryKey, state }) =>
        isOneOf(changed, queryKey) && (state.status !== 'error' || state.data !== undefined),
    });
  };
  const soon = (...changed: readonly QueryKey[]) => {
    keys.push(...changed);
    timer ??= setTimeout(refetch, Math.random() * spreadMs);
  };
  return {
    soon,
    running: (changed: readonly QueryKey[]) => {
      const isRunning = ({ queryKey, state }: Pick<Query, 'queryKey' | 'state'>) =>
        state.fetchStatus === 'fetching' && isOneOf(changed, queryKey);
      soon(
        ...queryClient
          .getQueryCache()
          .findAll({ predicate: isRunning })
          .map(({ queryKey }) => queryKey),
      );
    },
    stop: () => clearTimeout(timer),
  };
}

const isOneOf = (keys: readonly QueryKey[], queryKey: QueryKey) =>
  keys.some((key) => key.every((part, at) => queryKey[at] === part));

function createChangedCalls(queryClient: QueryClient, refetch: ReturnType<typeof createRefetch>) {
  const late = createRefetch(queryClient, SPREAD_MS.late);
  return {
    show(message: LiveMessage) {
      if ('prices' in message) return showPrices(queryClient, message.prices);
      showChangedCall(queryClient, message);
      // A response that is on its way may be older than the message.
      refetch.running(QUERIES.calls);
      // Only the caller's own page has the list of deliveries.
      refetch.soon(['telegram', 'deliveries']);
      const { call } = message;
      const isUpdate = call.isActive && call.updates.length + call.levelHits.length > 0;
      if (isUpdate) return;
      late.soon(
        ['callers', 'profile', call.callerId, 'statistics'],
        ['token-calls', 'one', call.id, 'chart'],
        ['token-calls', 'token', call.tokenMint],
      );
    },
    stop: late.stop,
  };
}

/**
 * Calls `send` when the page shows another caller, or starts or stops showing active calls, whose prices the hub sends.
 * Viewers of a Free caller's page get the caller's events without following.
 */
function watchShown(queryClient: QueryClient, send: (shown: string) => void) {
  let shown = '';
  const findCaller = () => {
    for (const { queryKey } of queryClient
      .getQueryCache()
      .findAll({ queryKey: ['token-calls'], type: 'active' })) {
      const [, kind, id, list] = queryKey;
      if (kind === 'caller' && list === 'active') return String(id);
      if (kind === 'one' && list === undefined) {
        return queryClient.getQueryData(callQuery(String(id)).queryKey)?.callerId ?? '';
      }
    }
    return '';
  };
  const findShown = () => `${findCaller()}${findPricedQueries(queryClient).length > 0 ? ' prices' : ''}`;
  const stop = queryClient.getQueryCache().subscribe(({ query }) => {
    if (!['token-calls', 'subscriptions'].includes(String(query.queryKey[0]))) return;
    const found = findShown();
    if (found === shown) return;
    shown = found;
    send(found);
  });
  return {
    stop,
    again() {
      shown = findShown();
      if (shown !== '') send(shown);
    },
  };
}
