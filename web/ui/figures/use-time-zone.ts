import { UTC } from '#web/lib/text/dates.ts';
import { useIsHydrated } from '../use-is-hydrated.ts';

/**
 * Returns UTC on the server, which doesn't know the viewer's time zone, and undefined in the browser, which
 * means the viewer's own.
 */
export function useTimeZone(): typeof UTC | undefined {
  return useIsHydrated() ? undefined : UTC;
}
