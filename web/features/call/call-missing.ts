import { hasCode } from '#web/api/api-error.ts';

/** Whether there is no such call, or none for who asks: the server does not tell which. */
export function isCallMissing(error: unknown): boolean {
  return hasCode(error, 'calls.not_found');
}
