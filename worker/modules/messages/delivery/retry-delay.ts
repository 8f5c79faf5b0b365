import { MINUTE_MS, SECOND_MS } from '#schema/constants/time.ts';

const FIRST_MS = 10 * SECOND_MS;
const MAX_MS = 15 * MINUTE_MS;
/**
 * Delays after an attempt to which Telegram did not respond. They are longer, because the message may have
 * arrived and a retry would duplicate it.
 */
const NO_RESPONSE_DELAYS_MS = [MINUTE_MS, 5 * MINUTE_MS];
const LAST_ATTEMPT_MS = MINUTE_MS;

export interface FailedAttempt {
  readonly attempts: number;
  readonly hasNoResponse: boolean;
  readonly expiresAt: number;
  readonly now: number;
}

/** The next try (unix ms): exponential back-off, and a last attempt one minute before the message expires. */
export function retryAt({ attempts, hasNoResponse, expiresAt, now }: FailedAttempt): number {
  const delay = hasNoResponse
    ? (NO_RESPONSE_DELAYS_MS[attempts] ?? MAX_MS)
    : Math.min(FIRST_MS * 2 ** attempts, MAX_MS);
  const lastAttemptAt = expiresAt - LAST_ATTEMPT_MS;
  return lastAttemptAt - now < LAST_ATTEMPT_MS ? now + delay : Math.min(now + delay, lastAttemptAt);
}
