import { Link } from '@tanstack/react-router';
import type { CallDetail } from '#schema/contracts/calls.ts';
import { formatCount } from '#schema/rules/text/format.ts';
import { CallEvidence } from '#web/lib/calls/call-evidence.tsx';

export function CallProof({ call }: { call: CallDetail }) {
  return (
    <>
      <p className="mb-2 text-sm text-text-muted">
        Quotes from each price source when the call was made and ended, and the price a minute later. These
        quotes are what we say we received.
      </p>
      <CallEvidence quotes={call.quotes} marks={call.marks} />
      {call.logEntries.length > 0 && (
        <p className="mt-3 text-sm">
          {formatEntries(call.logEntries)} of the public log.{' '}
          <Link to="/sealed-calls" className="inline-flex min-h-11 items-center link md:min-h-0">
            How sealed calls work
          </Link>
        </p>
      )}
    </>
  );
}

const MAX_LISTED = 6;

/** 'Entries 61, 75 and 102', or '9 entries between 61 and 102'. */
function formatEntries(positions: readonly number[]): string {
  const all = positions.map(formatCount);
  if (all.length > MAX_LISTED) return `${all.length} entries between ${all[0]} and ${all.at(-1)}`;
  return `Entries ${all.slice(0, -1).join(', ')} and ${all.at(-1)}`;
}
