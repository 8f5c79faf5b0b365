import { hasCode } from '#web/api/api-error.ts';

/** The server sends the same error for a call that doesn't exist and for a call that the viewer can't see. */
export function isCallMissing(error: unknown): boolean {
  return hasCode(error, 'calls.not_found');
}
