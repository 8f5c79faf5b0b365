import { MINUTE_MS, SECOND_MS } from '#schema/constants.ts';
import type { Asking } from '../ports/price-source.ts';

/** Used if the source doesn't say how long to pause. */
const DEFAULT_PAUSE_MS = 10 * SECOND_MS;
/** The longest pause, because we may misread the header of a source. */
const MAX_PAUSE_MS = 5 * MINUTE_MS;
/**
 * One twelfth of the limit is reserved for prices that open or end a call. A tenth would slow bulk requests
 * by more than 10%.
 */
const RESERVE_PART = 12;
/** A person must wait once their requests reach 1/4 of the remaining requests, so that some are left for others. */
const PERSON_PART = 4;
/** A person always gets this many requests, because one quote may need two. */
const PERSON_MINIMUM = 2;
const EPOCH_SECONDS_FROM = 1_000_000_000;
const EPOCH_MS_FROM = 1_000_000_000_000;

/** A rate-limit window of the source. `resetAt` is unix ms. */
interface Window {
  readonly limit: number;
  readonly remaining: number;
  readonly resetAt: number;
  /** Requests per person. */
  readonly usedBy: Map<string, number>;
}

/** A source's rate limit, read from its responses (`x-ratelimit-*`, `Retry-After`). Times are unix ms. */
export function createRateLimit() {
  let window: Window | null = null;
  let refusedUntil = 0;

  return {
    /**
     * Returns the time of the next allowed request, or null if one is allowed now. Urgent requests may use
     * the reserve.
     */
    pausedUntil({ now, isUrgent, person }: Asking & { now: number }): number | null {
      if (refusedUntil > now) return refusedUntil;
      if (window === null || window.resetAt <= now) return null;
      const isAllowed = (isUrgent || isAboveReserve(window)) && isWithinShare(window, person);
      return isAllowed ? null : window.resetAt;
    },

    /** Counts a request before it is sent, because others may be sent before its response arrives. */
    spend(person: string | null): void {
      if (window === null) return;
      window = { ...window, remaining: window.remaining - 1 };
      if (person !== null) window.usedBy.set(person, (window.usedBy.get(person) ?? 0) + 1);
    },

    read(headers: Headers, now: number): void {
      const remaining = readCount(headers.get('x-ratelimit-remaining'));
      if (remaining === null) return;
      const next = {
        limit: readCount(headers.get('x-ratelimit-limit')) ?? 0,
        remaining,
        resetAt: readReset(headers.get('x-ratelimit-reset'), now),
        usedBy: new Map<string, number>(),
      };
      // Within a window, keeps the lowest remaining count. A response doesn't count the requests that are still
      // under way.
      const isSameWindow =
        window !== null && window.resetAt > now && Math.abs(window.resetAt - next.resetAt) < SECOND_MS;
      window =
        window !== null && isSameWindow
          ? { ...next, remaining: Math.min(next.remaining, window.remaining), usedBy: window.usedBy }
          : next;
    },

    /** Pauses all requests after a 429. Returns the end of the pause. */
    pause(headers: Headers, now: number): number {
      const namedUntil =
        readRetryAfter(headers.get('Retry-After'), now) ??
        (headers.has('x-ratelimit-reset') ? readReset(headers.get('x-ratelimit-reset'), now) : null);
      refusedUntil = namedUntil ?? now + DEFAULT_PAUSE_MS;
      return refusedUntil;
    },
  };
}

function isAboveReserve({ remaining, limit }: Window): boolean {
  return remaining > Math.max(1, Math.floor(limit / RESERVE_PART));
}

function isWithinShare({ remaining, usedBy }: Window, person: string | null): boolean {
  const used = person === null ? 0 : (usedBy.get(person) ?? 0);
  return used < PERSON_MINIMUM || used * PERSON_PART < remaining;
}

function readCount(text: string | null): number | null {
  return text !== null && /^\d{1,9}$/.test(text.trim()) ? Number(text) : null;
}

/** Accepts unix seconds, unix ms and seconds from now, because sources differ. */
function readReset(text: string | null, now: number): number {
  const number = text !== null && /^\d{1,15}(?:\.\d{1,6})?$/.test(text.trim()) ? Number(text) : null;
  if (number === null) return now + DEFAULT_PAUSE_MS;
  if (number >= EPOCH_MS_FROM) return bound(number, now);
  return bound(number >= EPOCH_SECONDS_FROM ? number * SECOND_MS : now + number * SECOND_MS, now);
}

/** Accepts seconds from now or a date. Returns unix ms. */
function readRetryAfter(text: string | null, now: number): number | null {
  if (text === null) return null;
  const at = /^\d{1,9}$/.test(text.trim()) ? now + Number(text) * SECOND_MS : Date.parse(text);
  return Number.isNaN(at) ? null : bound(at, now);
}

function bound(at: number, now: number): number {
  return Math.min(at, now + MAX_PAUSE_MS);
}
