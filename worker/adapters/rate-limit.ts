import { MINUTE_MS, SECOND_MS } from '#schema/constants/time.ts';
import type { RequestPriority } from '../ports/price-source.ts';

const DEFAULT_PAUSE_MS = 10 * SECOND_MS;
/** The maximum pause, in case we misread a source's Retry-After header. */
const MAX_PAUSE_MS = 5 * MINUTE_MS;
/** One twelfth is for prices that open or end a call. A tenth would slow bulk requests by more than 10%. */
const RESERVE_PART = 12;
/** A person must wait once their requests reach 1/4 of the remaining ones, so that some are left for others. */
const PERSON_PART = 4;
/** A person always gets this many requests, because one quote may need two. */
const PERSON_MINIMUM = 2;

export function reserveOf(perMinute: number): number {
  return Math.max(1, Math.floor(perMinute / RESERVE_PART));
}

interface SentRequest {
  readonly at: number;
  readonly person: string | null;
}

/** Counts this isolate's requests to a source in a sliding window of a minute. Times are unix ms. */
export function createRateLimit({ perMinute }: { perMinute: number }) {
  let sent: SentRequest[] = [];
  let refusedUntil = 0;

  const isAboveReserve = () => perMinute - sent.length > reserveOf(perMinute);
  const isWithinShare = (person: string | null) => {
    if (person === null) return true;
    const used = sent.filter((request) => request.person === person).length;
    return used < PERSON_MINIMUM || used * PERSON_PART < perMinute - sent.length;
  };

  return {
    /** The time at which to try again; null if a request is allowed now. Urgent requests may use the reserve. */
    pausedUntil({ now, isUrgent, person }: RequestPriority & { now: number }): number | null {
      if (refusedUntil > now) return refusedUntil;
      sent = sent.filter(({ at }) => at > now - MINUTE_MS);
      const isAllowed = (isUrgent || isAboveReserve()) && isWithinShare(person);
      return isAllowed ? null : (sent[0]?.at ?? now) + MINUTE_MS;
    },

    /** Counts a request before it is sent, because concurrent requests may follow before its response. */
    spend(person: string | null, now: number): SentRequest {
      const request = { at: now, person };
      sent.push(request);
      return request;
    },

    giveBack(request: SentRequest): void {
      sent = sent.filter((each) => each !== request);
    },

    pause(headers: Headers, now: number): number {
      refusedUntil =
        readRetryAfter(headers.get('Retry-After'), now) ??
        readReset(headers.get('X-RateLimit-Reset'), now) ??
        now + DEFAULT_PAUSE_MS;
      return refusedUntil;
    },
  };
}

function readRetryAfter(text: string | null, now: number): number | null {
  if (text === null) return null;
  const at = /^\d{1,9}$/.test(text.trim()) ? now + Number(text) * SECOND_MS : Date.parse(text);
  return Number.isNaN(at) ? null : Math.min(at, now + MAX_PAUSE_MS);
}

/** Reads Jupiter's header, the unix second of the next free request. Its window is a minute, so later times are cut. */
function readReset(text: string | null, now: number): number | null {
  const at = (Number(text) + 1) * SECOND_MS;
  return at > now && at <= now + MAX_PAUSE_MS ? Math.min(at, now + MINUTE_MS) : null;
}
