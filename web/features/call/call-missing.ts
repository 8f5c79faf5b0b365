import { hasCode } from '#web/api/api-error.ts';

/** The server gives the same answer for a call that doesn't exist and one the viewer can't see. */
export function isCallMissing(error: unknown): boolean {
  return hasCode(error, 'calls.not_found');
}
