import { pluralize } from '#schema/rules/text/format.ts';
import { formatDay } from '#web/lib/text/dates.ts';
import type { LazyDialogProps } from '#web/lib/page/lazy-dialog.tsx';
import { CheckDialog, Problems } from './check-dialog.tsx';
import { checkRecord, outcomeOf, type CheckedRecord, type Outcome } from './check-record.ts';

interface RecordDialogProps extends LazyDialogProps {
  callerId: string;
  receipt: string | undefined;
}

export function RecordDialog({ callerId, receipt, ...dialog }: RecordDialogProps) {
  return (
    <CheckDialog
      {...dialog}
      title="Verify this record"
      description="Your browser checks the record against the signed log."
      check={(run) => checkRecord({ caller: callerId, receipt, ...run })}
      outcomeOf={outcomeOf}
      say={describeVerdict}
      Details={VerdictDetails}
    />
  );
}

/** The verdict in one sentence. */
export function describeVerdict(record: CheckedRecord): string {
  const { entries, figures, failures, since } = record;
  const calls = figures?.endedCalls ?? 0;
  const what =
    calls > 0 ? pluralize(calls, 'ended call') : `${entries} ${entries === 1 ? 'entry' : 'entries'}`;
  const texts: Readonly<Record<Outcome, string>> = {
    verified: `Verified: ${what}, nothing missing or changed${since === null ? '' : ` since ${formatDay(since)}`}`,
    refuted: `Not verified: ${pluralize(failures.length, 'problem')} found`,
    empty: 'Nothing in the log yet',
    unknown: `Couldn't check: ${failures[0]?.message ?? 'the figures weren’t compared. Try again in some minutes.'}`,
  };
  return texts[outcomeOf(record)];
}

/** The verdict with lists of failures, passed checks and skipped checks. */
export function VerdictDetails({ result }: { result: CheckedRecord }) {
  const { failures, checked, unchecked } = result;
  const outcome = outcomeOf(result);
  if (outcome === 'unknown' && failures.length > 0) return null;
  return (
    <div className="flex flex-col gap-4 text-sm">
      {outcome === 'refuted' && (
        <>
          <Problems>{failures.map(({ message }) => message)}</Problems>
          <p>
            Save the report: it has everything that this page received, so that others can check it too. Don't
            rely on this record until the problem is explained.
          </p>
        </>
      )}
      {outcome === 'empty' && (
        <p>This caller has no entry in the signed log. A new entry appears there within two minutes.</p>
      )}
      <Listed title="Checked">{checked}</Listed>
      <Listed title="Not checked">{unchecked.map(({ what, why }) => `${what}: ${why}`)}</Listed>
    </div>
  );
}

function Listed({ title, children }: { title: string; children: readonly string[] }) {
  if (children.length === 0) return null;
  return (
    <div>
      <h3 className="font-medium">{title}</h3>
      <ul className="mt-1 flex list-disc flex-col gap-1 pl-5 text-text-muted marker:text-line-strong">
        {children.map((text) => (
          <li key={text} className="wrap-anywhere">
            {text}
          </li>
        ))}
      </ul>
    </div>
  );
}
