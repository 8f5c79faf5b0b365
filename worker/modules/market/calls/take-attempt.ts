import { CALL_ATTEMPTS } from '#schema/constants/market.ts';
import { AppError } from '../../../app/errors.ts';
import type { Attempts } from '../../../shared/attempts.ts';

/**
 * Counts an attempt to open or end a call. This happens before the requests to the price sources, because a
 * rejected attempt needs as many requests as a successful one.
 * @throws calls.too_many_attempts
 */
export async function takeAttempt(attempts: Pick<Attempts, 'take'>, userId: string): Promise<void> {
  const waitMs = await attempts.take({ action: 'calls.price', person: userId, limit: CALL_ATTEMPTS });
  if (waitMs > 0) throw new AppError({ code: 'calls.too_many_attempts', waitMs });
}
