import { FRESH_SIGN_IN_MS } from '../constants.ts';

/**
 * Whether somebody who signed in at `signedInAt` may have a caller paid to `to` who is paid to `from` now (addresses; null is
 * none). The very first wallet takes nothing from anybody. Another one, none, or one after there was none for a while
 * (`hadOne`) needs a sign-in of the last minutes, so that a session that was stolen cannot send the earnings elsewhere.
 * Times are unix ms.
 */
export function mayChangePayout({
  from,
  to,
  hadOne,
  signedInAt,
  now,
}: {
  from: string | null;
  to: string | null;
  hadOne: boolean;
  signedInAt: number;
  now: number;
}): boolean {
  const isFirst = from === null && !hadOne;
  return isFirst || from === to || isFreshSignIn({ signedInAt, now });
}

/** Whether a sign-in is young enough for what a stolen session must not do. Times are unix ms. */
export function isFreshSignIn({ signedInAt, now }: { signedInAt: number; now: number }): boolean {
  return now - signedInAt < FRESH_SIGN_IN_MS;
}
