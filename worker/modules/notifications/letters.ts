import { SECOND_MS } from '#schema/constants.ts';

/** A message as a queue handed it over. Exactly one of `done`, `retry` and `giveUp` decides what becomes of it. */
export interface Letter<Body> {
  readonly body: Body;
  /** How often it was handed over at least, this time included. */
  readonly attempts: number;
  /** Since when it is tried; unix ms. */
  readonly since: number;
  done(): void;
  retry(delaySeconds: number): Promise<void>;
  /** Keeps it among the dead letters. @throws when it could not be kept; then nothing is decided yet. */
  giveUp(): Promise<void>;
}

const FIRST_RETRY_SECONDS = 10;
const MAX_RETRY_SECONDS = 900;
/** After these it is the longest. */
const UNANSWERED_RETRY_SECONDS = [60, 300];
/** So long before it is too old a message is tried for the last time. */
const LAST_TRY_SECONDS = 60;

/** What was refused, or could not even be asked, waits twice as long each time. */
export function retryDelay(attempts: number): number {
  return Math.min(FIRST_RETRY_SECONDS * 2 ** (attempts - 1), MAX_RETRY_SECONDS);
}

/** What got no answer may have arrived: each further attempt is a copy, so there are few. */
export function unansweredDelay(attempts: number): number {
  return UNANSWERED_RETRY_SECONDS[attempts - 1] ?? MAX_RETRY_SECONDS;
}

/** A delay of our own making, drawn forward where a message would be too old after it, but for the last minutes. `leftMs`: until it is. */
export function inLifetime({ delaySeconds, leftMs }: { delaySeconds: number; leftMs: number }): number {
  const lastTry = Math.floor(leftMs / SECOND_MS) - LAST_TRY_SECONDS;
  return lastTry < LAST_TRY_SECONDS ? delaySeconds : Math.min(delaySeconds, lastTry);
}

/** What failed is tried again later, and given up once it has been tried for its lifetime. */
export async function retryOrGiveUp({
  letter,
  now,
  lifetimeMs,
}: {
  letter: Letter<unknown>;
  now: number;
  lifetimeMs: number;
}): Promise<void> {
  const leftMs = letter.since + lifetimeMs - now;
  const delaySeconds = inLifetime({ delaySeconds: retryDelay(letter.attempts), leftMs });
  if (leftMs > 0) return letter.retry(delaySeconds);
  try {
    await letter.giveUp();
  } catch (error) {
    console.warn(
      JSON.stringify({ event: 'notification.kept_trying', body: letter.body, error: String(error) }),
    );
    await letter.retry(delaySeconds);
  }
}
