import { UTC } from '#web/lib/text/dates.ts';
import { useIsHydrated } from '../use-is-hydrated.ts';

/** UTC on the server, which doesn't know the viewer's time zone. Undefined, for the viewer's own, in the browser. */
export function useTimeZone(): typeof UTC | undefined {
  return useIsHydrated() ? undefined : UTC;
}
