import { onlineManager } from '@tanstack/react-query';
import { SECOND_MS } from '#schema/constants/time.ts';

/** `unreachable`: the browser has a network, but the API doesn't respond or only fails. */
export type ConnectionState = 'ok' | 'offline' | 'unreachable';

/** The pauses before each check of the API. The last one repeats. */
const PAUSES_MS = [0.5, 1, 2, 4, 8, 15].map((seconds) => seconds * SECOND_MS);
/** Short, so that an outage shows within two seconds of the first failure, including the first pause. */
const FIRST_TIMEOUT_MS = SECOND_MS;
const TIMEOUT_MS = 5 * SECOND_MS;
const HTTP_SERVER_ERROR = 500;

type Check = ReturnType<typeof createCheck>;

let check: Check | null = null;

/**
 * Makes TanStack Query's `onlineManager` report whether the API responds. The browser's own flag isn't
 * enough: it doesn't notice an outage of the API, and is wrong on some machines. During an outage, queries
 * pause and then continue by themselves.
 */
export function watchConnection(): void {
  onlineManager.setEventListener((setReachable) => {
    setReachable(true);
    const current = createCheck(setReachable);
    check = current;
    const checkNow = () => void current.now();
    if (!navigator.onLine) current.soon();
    window.addEventListener('offline', current.soon);
    window.addEventListener('online', checkNow);
    document.addEventListener('visibilitychange', current.resume);
    return () => {
      document.removeEventListener('visibilitychange', current.resume);
      current.stop();
      check = null;
      window.removeEventListener('offline', current.soon);
      window.removeEventListener('online', checkNow);
    };
  });
}

/**
 * Reports a request that got no response or a 5xx. The API is checked soon, then with back-off until it
 * responds. A hidden page waits until it is shown again.
 */
export function reportFailure(): void {
  check?.soon();
}

export function reportResponse(): void {
  if (!onlineManager.isOnline()) void check?.now();
}

export async function checkConnection(): Promise<boolean> {
  return (await check?.now()) ?? true;
}

export function connectionState(): ConnectionState {
  if (onlineManager.isOnline()) return 'ok';
  return navigator.onLine ? 'unreachable' : 'offline';
}

export function onConnectionChange(listener: () => void): () => void {
  const unsubscribe = onlineManager.subscribe(listener);
  window.addEventListener('offline', listener);
  window.addEventListener('online', listener);
  return () => {
    unsubscribe();
    window.removeEventListener('offline', listener);
    window.removeEventListener('online', listener);
  };
}

export function onRecovery(listener: () => void): () => void {
  return onlineManager.subscribe((isReachable) => isReachable && listener());
}

function createCheck(setReachable: (isReachable: boolean) => void) {
  let failures = 0;
  let latest = 0;
  let isPaused = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const now = async (): Promise<boolean> => {
    const own = (latest += 1);
    isPaused = false;
    clearTimeout(timer);
    const isReachable = await requestApi(failures === 0 ? FIRST_TIMEOUT_MS : TIMEOUT_MS);
    // A later check has begun. Its result replaces this one.
    if (own !== latest) return isReachable;
    failures = isReachable ? 0 : failures + 1;
    clearTimeout(timer);
    timer = isReachable ? undefined : setTimeout(nowIfShown, pauseAfter(failures));
    setReachable(isReachable);
    return isReachable;
  };

  const nowIfShown = (): void => {
    isPaused = document.visibilityState === 'hidden';
    if (!isPaused) void now();
  };

  return {
    now,
    soon: (): void => {
      timer ??= setTimeout(nowIfShown, pauseAfter(failures));
    },
    resume: (): void => {
      if (isPaused) nowIfShown();
    },
    stop: (): void => {
      latest += 1;
      clearTimeout(timer);
    },
  };
}

const pauseAfter = (failures: number) => PAUSES_MS[Math.min(failures, PAUSES_MS.length - 1)];

/** Any response shows that the API is reachable, even a refusal. */
async function requestApi(timeoutMs: number): Promise<boolean> {
  try {
    const { status } = await fetchWithin(timeoutMs, '/api/auth/user', { credentials: 'include' });
    return status < HTTP_SERVER_ERROR;
  } catch {
    return false;
  }
}

/** The same as `fetch`, but fails if no response begins in time. Reading the body may take longer. */
export async function fetchWithin(
  timeoutMs: number,
  input: RequestInfo | URL,
  init?: RequestInit,
): Promise<Response> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), timeoutMs);
  try {
    return await fetch(input, { ...init, signal: controller.signal });
  } finally {
    clearTimeout(timer);
  }
}
