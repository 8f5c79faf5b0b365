import { Link } from '@tanstack/react-router';
import { formatCount } from '#schema/rules/text/format.ts';

/** The positions of an ended call's entries in the public log. */
export function CallLog({ entries }: { entries: readonly number[] }) {
  if (entries.length === 0) return null;
  return (
    <p className="mt-3 text-sm">
      {formatEntries(entries)} of the public log.{' '}
      <Link to="/sealed-calls" className="inline-flex min-h-11 items-center link md:min-h-0">
        How sealed calls work
      </Link>
    </p>
  );
}

const MAX_LISTED = 6;

/** 'Entries 61, 75 and 102', or '9 entries between 61 and 102'. */
function formatEntries(positions: readonly number[]): string {
  const all = positions.map(formatCount);
  if (all.length > MAX_LISTED) return `${all.length} entries between ${all[0]} and ${all.at(-1)}`;
  return `Entries ${all.slice(0, -1).join(', ')} and ${all.at(-1)}`;
}
