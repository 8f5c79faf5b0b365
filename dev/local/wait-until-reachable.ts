import { setTimeout as pause } from 'node:timers/promises';
import { MINUTE_MS, SECOND_MS } from '#schema/constants/time.ts';

const POLL_MS = SECOND_MS / 4;

/** Requests the URL until it responds with success. @throws Error if it doesn't within `withinMs` (default: a minute) */
export async function waitUntilReachable(url: string, withinMs = MINUTE_MS): Promise<void> {
  const until = Date.now() + withinMs;
  while (Date.now() < until) {
    const isUp = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isUp) return;
    await pause(POLL_MS);
  }
  throw new Error(`${url} did not respond within ${withinMs / SECOND_MS} seconds.`);
}
