import { Link } from '@tanstack/react-router';
import type { CallDetail } from '#schema/contracts/calls.ts';
import { formatCount } from '#schema/rules/text/format.ts';
import { formatMinute } from '#web/lib/text/dates.ts';
import { saveFile } from '#web/lib/browser/save-file.ts';
import { readReceiptNumber, receiptsOf, type SavedReceipt } from '#web/lib/verify/receipts.ts';
import { VerifyRecord } from '#web/lib/verify/verify-record.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { Card } from '#web/ui/lists/card.tsx';
import { useIsHydrated } from '#web/ui/use-is-hydrated.ts';

/** An ended call's entries in the public log, and the receipts stored in its caller's browser. */
export function CallLog({ call, isOwner }: { call: CallDetail; isOwner: boolean }) {
  const isHydrated = useIsHydrated();
  const receipts = isOwner && isHydrated ? receiptsOf(call.id) : [];
  const { logEntries, callerId } = call;
  if (logEntries.length === 0 && receipts.length === 0) return null;
  return (
    <Card title="Log" className="mt-4">
      {logEntries.length > 0 && <p className="text-sm">{formatEntries(logEntries)} of the public log.</p>}
      {receipts.length > 0 && (
        <ul aria-label="Receipts" className="divide-y divide-line">
          {receipts.map((receipt) => (
            <Receipt key={receipt.note} receipt={receipt} callerId={callerId} />
          ))}
        </ul>
      )}
      <Link
        to="/sealed-calls"
        className="inline-flex min-h-11 items-center text-sm underline decoration-line-strong underline-offset-4 hover:decoration-current md:min-h-8"
      >
        How sealed calls work
      </Link>
    </Card>
  );
}

function Receipt({ receipt: { event, note }, callerId }: { receipt: SavedReceipt; callerId: string }) {
  const entry = readReceiptNumber(note, 'entry');
  const name = `receipt of entry ${entry}`;
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2 text-sm">
      <div className="min-w-0">
        <p className="font-medium">Receipt: {event}</p>
        <p className="text-text-muted">
          Our signed promise of {formatMinute(new Date(readReceiptNumber(note, 'time')).toISOString())} that
          entry {formatCount(entry)} of the log is this one, within two minutes.
        </p>
      </div>
      <div className="-mx-3 flex flex-wrap">
        <Button
          variant="ghost"
          size="sm"
          aria-label={`Download ${name}`}
          onClick={() => saveFile({ name: `receipt-${entry}.txt`, text: note })}
        >
          Download
        </Button>
        <VerifyRecord callerId={callerId} receipt={note} size="sm" aria-label={`Verify ${name}`}>
          Verify
        </VerifyRecord>
      </div>
    </li>
  );
}

const MAX_LISTED = 6;

/** 'Entries 61, 75 and 102', or 'Entries 61 to 102 (9)'. */
function formatEntries(positions: readonly number[]): string {
  const all = positions.map(formatCount);
  if (all.length > MAX_LISTED) return `${all.length} entries between ${all[0]} and ${all.at(-1)}`;
  return `Entries ${all.slice(0, -1).join(', ')} and ${all.at(-1)}`;
}
