import { formatRelativeTime } from '#schema/rules/format.ts';
import { classNames } from './class-names.ts';
import { useIsHydrated } from './use-is-hydrated.ts';
import { useNow } from './use-now.ts';

export interface RelativeTimeProps {
  /** ISO 8601. */
  at: string | null | undefined;
  missing?: string | undefined;
  className?: string | undefined;
}

/** Shows 'Just now', '5m ago', '3h ago' or '2d ago', with the exact time as a tooltip. */
export function RelativeTime({ at, missing = 'Unknown', className }: RelativeTimeProps) {
  const now = useNow();
  const isHydrated = useIsHydrated();
  const moment = at ? new Date(at) : null;
  if (!at || !moment || Number.isNaN(moment.getTime())) return <span className={className}>{missing}</span>;
  return (
    <time
      dateTime={at}
      // In the viewer's language and time zone, which the server doesn't know.
      title={isHydrated ? moment.toLocaleString() : undefined}
      className={classNames('whitespace-nowrap', className)}
    >
      {formatRelativeTime(at, now)}
    </time>
  );
}
