import type { QueryClient, QueryKey } from '@tanstack/react-query';
import {
  LIVE_CLOSE_CODES,
  LIVE_PING_MS,
  LIVE_REFRESH_MS,
  LIVE_TOPICS,
  SECOND_MS,
} from '#schema/constants.ts';
import type { CallDetail } from '#schema/contracts/calls.ts';
import { liveState } from './live-state.ts';

type Topic = (typeof LIVE_TOPICS)[number];

/** The queries to refetch after an event of each topic. */
const QUERIES: Readonly<Record<Topic, readonly QueryKey[]>> = {
  calls: [
    ['token-calls', 'caller'],
    ['token-calls', 'one'],
    ['subscriptions', 'calls'],
    ['callers', 'profile'],
    ['telegram', 'deliveries'],
  ],
  payments: [['subscriptions'], ['payments'], ['callers', 'profile'], ['token-calls', 'caller']],
  earnings: [
    ['callers', 'profile'],
    ['payments', 'earned'],
  ],
  wallets: [
    ['user', 'wallets'],
    ['user', 'payout-changes'],
    ['auth', 'user'],
  ],
  sessions: [['user', 'sessions']],
};

/**
 * Pages delay their requests by a random part of this time, because an event reaches thousands of pages at
 * once.
 */
const SPREAD_MS = 300;
const FIRST_PAUSE_MS = SECOND_MS;
const MAX_PAUSE_MS = 60 * SECOND_MS;

const FINAL_CODES: ReadonlySet<number> = new Set([LIVE_CLOSE_CODES.signedOut, LIVE_CLOSE_CODES.replaced]);

/**
 * Keeps a WebSocket open while the page is shown, and refetches the data that the server reports as changed.
 * After each connection it refetches everything once, because earlier events may be missing. Without a
 * connection, the page polls.
 * @returns a function that closes the WebSocket
 */
export function keepLive(queryClient: QueryClient): () => void {
  const refetch = createRefetch(queryClient);
  let socket: WebSocket | null = null;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let isAwaited = false;

  const sendShown = watchShownCaller(queryClient, (callerId) => {
    if (socket?.readyState === WebSocket.OPEN) socket.send(callerId);
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
      refetch.all();
    });
    opening.addEventListener('message', ({ data }) => {
      isAwaited = false;
      if (data === 'pong') failures = 0;
      else refetch.soon(data as Topic);
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
  const refresh = setInterval(() => liveState.isOn && refetch.all(), LIVE_REFRESH_MS);
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

function createRefetch(queryClient: QueryClient) {
  const changed = new Set<Topic>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const refetch = () => {
    timer = undefined;
    const keys = [...changed].flatMap((topic) => QUERIES[topic] ?? []);
    changed.clear();
    const isChanged = (queryKey: QueryKey) =>
      keys.some((key) => key.every((part, at) => queryKey[at] === part));
    // Invalidate in one call, because a query that is invalidated twice is fetched twice. Leave out failed
    // queries, because refetching would replace their message and button with skeletons.
    void queryClient.invalidateQueries({
      predicate: ({ queryKey, state }) =>
        isChanged(queryKey) && (state.status !== 'error' || state.data !== undefined),
    });
  };
  const soon = (...topics: readonly Topic[]) => {
    for (const topic of topics) changed.add(topic);
    timer ??= setTimeout(refetch, Math.random() * SPREAD_MS);
  };
  return { soon, all: () => soon(...LIVE_TOPICS), stop: () => clearTimeout(timer) };
}

/**
 * Calls `send` when the page shows another caller. Viewers of a Free caller's page get the caller's events
 * without following.
 */
function watchShownCaller(queryClient: QueryClient, send: (callerId: string) => void) {
  let shown = '';
  const findShown = () => {
    for (const { queryKey, state } of queryClient
      .getQueryCache()
      .findAll({ queryKey: ['token-calls'], type: 'active' })) {
      const [, kind, id, list] = queryKey;
      if (kind === 'caller' && list === 'active') return String(id);
      if (kind === 'one' && list === undefined) return (state.data as CallDetail | undefined)?.callerId ?? '';
    }
    return '';
  };
  const stop = queryClient.getQueryCache().subscribe(({ query }) => {
    if (query.queryKey[0] !== 'token-calls') return;
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
