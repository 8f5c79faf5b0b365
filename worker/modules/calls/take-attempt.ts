import { createTooManyAttemptsError } from './calls.errors.ts';
import type { AttemptsPort } from './calls.ports.ts';

/**
 * Counts an attempt to open or end a call before the price sources are asked: a rejected one costs them as much as a
 * successful one.
 * @throws calls.too_many_attempts
 */
export async function takeAttempt(attempts: AttemptsPort, userId: string): Promise<void> {
  const waitMs = await attempts.take(userId);
  if (waitMs > 0) throw createTooManyAttemptsError({ waitMs });
}
