import type { UTC } from '#web/lib/text/dates.ts';
import { useTimeZone } from './use-time-zone.ts';

export interface LocalTimeProps {
  at: string;
  format: (at: string, timeZone?: typeof UTC) => string;
  className?: string | undefined;
}

/** A time in the viewer's time zone. The server's HTML has it in UTC. */
export function LocalTime({ at, format, className }: LocalTimeProps) {
  const timeZone = useTimeZone();
  return (
    <time dateTime={at} className={className}>
      {format(at, timeZone)}
    </time>
  );
}
