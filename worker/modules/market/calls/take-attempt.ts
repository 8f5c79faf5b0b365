import { createTooManyAttemptsError } from './calls.errors.ts';
import type { AttemptsPort } from './calls.ports.ts';

/**
 * Counts an attempt to open or end a call. This happens before the requests to the price sources, because a
 * rejected attempt needs as many requests as a successful one.
 * @throws calls.too_many_attempts
 */
export async function takeAttempt(attempts: AttemptsPort, userId: string): Promise<void> {
  const waitMs = await attempts.take(userId);
  if (waitMs > 0) throw createTooManyAttemptsError({ waitMs });
}
