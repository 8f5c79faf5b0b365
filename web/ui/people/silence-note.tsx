import { MAX_SILENT_DAYS } from '#schema/constants/money.ts';
import { formatDay } from '#web/lib/text/dates.ts';
import { LocalTime } from '#web/ui/figures/local-time.tsx';

export function SilenceNote({ since }: { since: string }) {
  return (
    <p role="note" className="mt-4 rounded-md border border-line p-3 text-sm">
      <span className="font-medium">
        No activity since <LocalTime at={since} format={formatDay} />.
      </span>{' '}
      Paid subscriptions are extended by a day for each silent day, at most {MAX_SILENT_DAYS}.
    </p>
  );
}
