/** A message as a queue handed it over. Exactly one of `done`, `retry` and `giveUp` decides what becomes of it. */
export interface Letter<Body> {
  readonly body: Body;
  /** How often it was handed over, this time included. */
  readonly attempts: number;
  /** When it was put into the queue; unix ms. */
  readonly sentAt: number;
  done(): void;
  retry(delaySeconds: number): void;
  /** Keeps it among the dead letters. @throws when it could not be kept; then nothing is decided yet. */
  giveUp(): Promise<void>;
}

const FIRST_RETRY_SECONDS = 10;
const MAX_RETRY_SECONDS = 900;

/** Twice as long each time, so that the platform's hundred attempts outlast a message's lifetime by far. */
export function retryDelay(attempts: number): number {
  return Math.min(FIRST_RETRY_SECONDS * 2 ** (attempts - 1), MAX_RETRY_SECONDS);
}

/** What failed is tried again later, and given up once it has been in the queue for its lifetime. */
export async function retryOrGiveUp({ letter, now, lifetimeMs, delaySeconds = retryDelay(letter.attempts) }: { letter: Letter<unknown>; now: number; lifetimeMs: number; delaySeconds?: number }): Promise<void> {
  if (now - letter.sentAt < lifetimeMs) return letter.retry(delaySeconds);
  try {
    await letter.giveUp();
  } catch (error) {
    console.warn(JSON.stringify({ event: 'notification.kept_trying', body: letter.body, error: String(error) }));
    letter.retry(delaySeconds);
  }
}
