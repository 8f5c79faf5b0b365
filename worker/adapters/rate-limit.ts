import { MINUTE_MS, SECOND_MS } from '#schema/constants.ts';

/** How long a source is left alone that does not say for how long. */
const UNSAID_REST_MS = 10 * SECOND_MS;
/** Whatever a source says, it is asked again after so long: it may have meant something else. */
const LONGEST_REST_MS = 5 * MINUTE_MS;
/**
 * One question in so many is kept for prices that open or end a call. It is no tenth, so that what is asked in bulk needs no
 * more than 1.1 times the time that the whole limit would take.
 */
const RESERVE_PART = 12;
const EPOCH_SECONDS_FROM = 1_000_000_000;
const EPOCH_MS_FROM = 1_000_000_000_000;

/** What a source says of how many more questions it takes. `resetAt` is unix ms. */
interface Window {
  readonly limit: number;
  readonly remaining: number;
  readonly resetAt: number;
}

/** How much a source may still be asked, as its own answers say (`x-ratelimit-*`, `Retry-After`). Every time is unix ms. */
export function createRateLimit() {
  let window: Window | null = null;
  let refusedUntil = 0;

  return {
    /** Until when no question may be put, or `null` when one may; `isUrgent` ones use up the reserve too. */
    restsUntil({ now, isUrgent }: { now: number; isUrgent: boolean }): number | null {
      if (refusedUntil > now) return refusedUntil;
      if (isUrgent || window === null || window.resetAt <= now) return null;
      return window.remaining <= Math.max(1, Math.floor(window.limit / RESERVE_PART)) ? window.resetAt : null;
    },

    /** Counts a question that is about to be put: its answer may come after others were asked. */
    spend(): void {
      if (window) window = { ...window, remaining: window.remaining - 1 };
    },

    /** Reads what an answer says of the limit. */
    read(headers: Headers, now: number): void {
      const remaining = readCount(headers.get('x-ratelimit-remaining'));
      if (remaining === null) return;
      const said = {
        limit: readCount(headers.get('x-ratelimit-limit')) ?? 0,
        remaining,
        resetAt: readReset(headers.get('x-ratelimit-reset'), now),
      };
      // Of one window the least counts: an answer does not know of the questions that are under way.
      const isSameWindow =
        window !== null && window.resetAt > now && Math.abs(window.resetAt - said.resetAt) < SECOND_MS;
      window =
        window !== null && isSameWindow
          ? { ...said, remaining: Math.min(said.remaining, window.remaining) }
          : said;
    },

    /** A 429. Answers until when the source wants no question. */
    refuse(headers: Headers, now: number): number {
      const saidUntil =
        readRetryAfter(headers.get('Retry-After'), now) ??
        (headers.has('x-ratelimit-reset') ? readReset(headers.get('x-ratelimit-reset'), now) : null);
      refusedUntil = saidUntil ?? now + UNSAID_REST_MS;
      return refusedUntil;
    },
  };
}

function readCount(text: string | null): number | null {
  return text !== null && /^\d{1,9}$/.test(text.trim()) ? Number(text) : null;
}

/** The end of a window: as unix seconds, unix milliseconds, or seconds from now. */
function readReset(text: string | null, now: number): number {
  const number = text !== null && /^\d{1,15}(?:\.\d{1,6})?$/.test(text.trim()) ? Number(text) : null;
  if (number === null) return now + UNSAID_REST_MS;
  if (number >= EPOCH_MS_FROM) return bound(number, now);
  return bound(number >= EPOCH_SECONDS_FROM ? number * SECOND_MS : now + number * SECOND_MS, now);
}

/** Seconds, or a date. */
function readRetryAfter(text: string | null, now: number): number | null {
  if (text === null) return null;
  const at = /^\d{1,9}$/.test(text.trim()) ? now + Number(text) * SECOND_MS : Date.parse(text);
  return Number.isNaN(at) ? null : bound(at, now);
}

function bound(at: number, now: number): number {
  return Math.min(at, now + LONGEST_REST_MS);
}
