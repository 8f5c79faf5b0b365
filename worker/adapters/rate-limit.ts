import { MINUTE_MS, SECOND_MS } from '#schema/constants.ts';

/** The pause if a source doesn't name one. */
const DEFAULT_PAUSE_MS = 10 * SECOND_MS;
/** The longest pause, whatever the source says: we may misread its header. */
const MAX_PAUSE_MS = 5 * MINUTE_MS;
/**
 * 1/12 of the limit is reserved for prices that open or end a call. With 1/10, bulk requests would take over 1.1 times
 * as long as with the whole limit.
 */
const RESERVE_PART = 12;
const EPOCH_SECONDS_FROM = 1_000_000_000;
const EPOCH_MS_FROM = 1_000_000_000_000;

/** A source's rate-limit window. `resetAt` is unix ms. */
interface Window {
  readonly limit: number;
  readonly remaining: number;
  readonly resetAt: number;
}

/** A source's rate limit as its responses state it (`x-ratelimit-*`, `Retry-After`). Times are unix ms. */
export function createRateLimit() {
  let window: Window | null = null;
  let refusedUntil = 0;

  return {
    /** When the next request may be sent; null is now. Urgent requests may use the reserve. */
    pausedUntil({ now, isUrgent }: { now: number; isUrgent: boolean }): number | null {
      if (refusedUntil > now) return refusedUntil;
      if (isUrgent || window === null || window.resetAt <= now) return null;
      return window.remaining <= Math.max(1, Math.floor(window.limit / RESERVE_PART)) ? window.resetAt : null;
    },

    /** Counts a request before it is sent: others may be sent before its response arrives. */
    spend(): void {
      if (window) window = { ...window, remaining: window.remaining - 1 };
    },

    read(headers: Headers, now: number): void {
      const remaining = readCount(headers.get('x-ratelimit-remaining'));
      if (remaining === null) return;
      const next = {
        limit: readCount(headers.get('x-ratelimit-limit')) ?? 0,
        remaining,
        resetAt: readReset(headers.get('x-ratelimit-reset'), now),
      };
      // Within a window the lowest count is right: a response doesn't count the requests still under way.
      const isSameWindow =
        window !== null && window.resetAt > now && Math.abs(window.resetAt - next.resetAt) < SECOND_MS;
      window =
        window !== null && isSameWindow
          ? { ...next, remaining: Math.min(next.remaining, window.remaining) }
          : next;
    },

    refuse(headers: Headers, now: number): number {
      const namedUntil =
        readRetryAfter(headers.get('Retry-After'), now) ??
        (headers.has('x-ratelimit-reset') ? readReset(headers.get('x-ratelimit-reset'), now) : null);
      refusedUntil = namedUntil ?? now + DEFAULT_PAUSE_MS;
      return refusedUntil;
    },
  };
}

function readCount(text: string | null): number | null {
  return text !== null && /^\d{1,9}$/.test(text.trim()) ? Number(text) : null;
}

/** Unix seconds, unix milliseconds, or seconds from now: sources differ. */
function readReset(text: string | null, now: number): number {
  const number = text !== null && /^\d{1,15}(?:\.\d{1,6})?$/.test(text.trim()) ? Number(text) : null;
  if (number === null) return now + DEFAULT_PAUSE_MS;
  if (number >= EPOCH_MS_FROM) return bound(number, now);
  return bound(number >= EPOCH_SECONDS_FROM ? number * SECOND_MS : now + number * SECOND_MS, now);
}

/** Seconds from now, or a date. */
function readRetryAfter(text: string | null, now: number): number | null {
  if (text === null) return null;
  const at = /^\d{1,9}$/.test(text.trim()) ? now + Number(text) * SECOND_MS : Date.parse(text);
  return Number.isNaN(at) ? null : bound(at, now);
}

function bound(at: number, now: number): number {
  return Math.min(at, now + MAX_PAUSE_MS);
}
