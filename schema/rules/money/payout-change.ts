import { FRESH_SIGN_IN_MS } from '../../constants/people.ts';

export interface PayoutChangeInput {
  readonly from: string | null;
  readonly to: string | null;
  readonly hadOne: boolean;
  readonly signedInAt: number;
  readonly now: number;
}

/**
 * True if a caller may change their payout wallet. Every change but the first needs a recent sign-in, so that
 * a stolen session can't redirect the earnings.
 */
export function mayChangePayout({ from, to, hadOne, signedInAt, now }: PayoutChangeInput): boolean {
  const isFirst = from === null && !hadOne;
  return isFirst || from === to || isFreshSignIn({ signedInAt, now });
}

/** True if a sign-in is recent enough for changes that a stolen session must not make. Times are unix ms. */
export function isFreshSignIn({ signedInAt, now }: { signedInAt: number; now: number }): boolean {
  return now - signedInAt < FRESH_SIGN_IN_MS;
}
