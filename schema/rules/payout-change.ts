import { FRESH_SIGN_IN_MS } from '../constants.ts';

/**
 * Whether somebody who signed in at `signedInAt` may have a caller paid to `to` who is paid to `from` now (addresses; null is
 * none). A first wallet takes nothing from anybody. Another one, or none, needs a sign-in of the last minutes, so that a
 * session that was stolen cannot send the earnings elsewhere. Times are unix ms.
 */
export function mayChangePayout({ from, to, signedInAt, now }: { from: string | null; to: string | null; signedInAt: number; now: number }): boolean {
  return from === null || from === to || now - signedInAt < FRESH_SIGN_IN_MS;
}
