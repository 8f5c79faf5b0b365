import type { ReactNode } from 'react';
import type { LedgerCheck, OperatorsOverview, ReportedThing } from '#schema/contracts/operators.ts';
import { formatMinute } from '#web/lib/text/dates.ts';
import { Badge } from '#web/ui/people/badge.tsx';
import { Card } from '#web/ui/lists/card.tsx';
import { Row } from './actions.tsx';

export function ProblemCards({ overview }: { overview: OperatorsOverview }) {
  const { cronRanAt } = overview;
  return (
    <>
      <Problems title="Reports" none="There are no open reports." rows={overview.reported}>
        {(thing) => <Report key={`${thing.kind} ${thing.subjectId}`} thing={thing} />}
      </Problems>
      <PaymentProblems overview={overview} />
      <Problems
        title="Messages that weren't sent"
        none="All messages were sent."
        rows={overview.failedEvents}
      >
        {({ id, kind, messages, error, at }) => (
          <Row
            key={id}
            title={kind}
            at={at}
            actions={[
              { action: 'resend_event', subjectId: id, about: `${kind} ${id}` },
              { action: 'dismiss_event', subjectId: id, about: `${kind} ${id}` },
            ]}
          >
            <p>{`${messages} messages: ${error}`}</p>
          </Row>
        )}
      </Problems>
      <Problems
        title="Cron and RPC endpoints"
        none={cronRanAt === null ? 'It has not run yet.' : `All work. Last run ${formatMinute(cronRanAt)}.`}
        rows={overview.jobs}
      >
        {({ job, since, error }) => (
          <Row key={job} title={job} at={since}>
            <p>
              {error === null
                ? `Due since ${formatMinute(since)}, but it hasn't run`
                : `Fails since ${formatMinute(since)}: ${error}`}
            </p>
          </Row>
        )}
      </Problems>
      <LedgerProblems checks={overview.ledgerChecks} />
    </>
  );
}

function PaymentProblems({ overview }: { overview: OperatorsOverview }) {
  const { unreadablePayments, orphanPayers } = overview;
  return (
    <>
      {unreadablePayments.length > 0 && (
        <Problems title="Payments that can’t be read" rows={unreadablePayments}>
          {({ signature, intentId, handle, since }) => (
            <Row
              key={signature}
              title={`Payment of @${handle}`}
              at={since}
              text={`Signature ${signature}, intent ${intentId}`}
              actions={[{ action: 'release_payment', subjectId: signature, about: signature }]}
              payment={signature}
            />
          )}
        </Problems>
      )}
      <Problems title="Orphan payments" none="All money matches a payment." rows={overview.orphans}>
        {({ signature, reason, payerAddress, handle, callers, platformSol, foundAt }) => (
          <Row
            key={signature}
            title={`${platformSol} SOL to the platform`}
            at={foundAt}
            text={`${reason}, from ${handle === null ? '' : `@${handle}, `}${payerAddress}, signature ${signature}`}
            actions={[{ action: 'resolve_orphan', subjectId: signature, about: signature }]}
            payment={signature}
          >
            {callers.map(({ address, sol }) => (
              <p key={address}>{`${sol} SOL to the caller’s wallet ${address}`}</p>
            ))}
          </Row>
        )}
      </Problems>
      {orphanPayers.length > 0 && (
        <Problems title="Wallets with several orphans" rows={orphanPayers}>
          {({ payerAddress: address, orphans }) => (
            <Row
              key={address}
              title={`${address}: ${orphans}`}
              actions={[{ action: 'resolve_small_orphans', subjectId: address, about: address }]}
            />
          )}
        </Problems>
      )}
    </>
  );
}

function LedgerProblems({ checks }: { checks: readonly LedgerCheck[] }) {
  return (
    <Problems
      title="Ledger checks"
      none="No check has run yet."
      rows={checks}
      problems={checks.reduce((sum, check) => sum + countProblems(check), 0)}
    >
      {({ day, startedAt, finishedAt, error, problemCount, problems, dustTransfers, dustSol }) => (
        <Row key={day} title={day} at={finishedAt ?? startedAt}>
          <p>
            {finishedAt === null ? 'Not finished. ' : ''}
            {`${problemCount ?? 0} problems, ${dustTransfers} dust transfers (${dustSol} SOL).`}
          </p>
          {(problemCount ?? 0) > 0 && <p className="text-xs text-text-muted">{problems}</p>}
          {error !== null && <p className="text-loss">{`The last attempt failed: ${error}`}</p>}
        </Row>
      )}
    </Problems>
  );
}

interface ProblemListProps<Item> {
  title: string;
  none?: string;
  rows: readonly Item[];
  problems?: number;
  children: (row: Item) => ReactNode;
}

function Problems<Item>({ title, none, rows, problems = rows.length, children }: ProblemListProps<Item>) {
  return (
    <Card title={title} aside={problems > 0 && <Badge tone="warn">{problems}</Badge>} isFlush>
      {rows.length === 0 ? (
        <p className="p-4 text-sm text-text-muted">{none}</p>
      ) : (
        <ul aria-label={title} className="divide-y divide-line *:px-4">
          {rows.map(children)}
        </ul>
      )}
    </Card>
  );
}

const TEXT_OF = { caller: 'bio', call: 'thesis', update: 'update' } as const;

function Report({ thing }: { thing: ReportedThing }) {
  const { kind, subjectId, callerId, text, isWithheld } = thing;
  const caller = `@${thing.callerHandle}`;
  const about = `${kind} of ${caller}`;
  const textAction = thing.isTextHidden ? 'show_text' : 'hide_text';
  return (
    <Row
      title={`${thing.count} × ${about}`}
      at={thing.lastAt}
      actions={[
        { action: 'resolve_reports', kind, subjectId, about },
        ...(text === null && !isWithheld
          ? []
          : [{ action: textAction, kind: TEXT_OF[kind], subjectId, about } as const]),
        ...(thing.isCallerSuspended
          ? []
          : [{ action: 'suspend', subjectId: callerId, about: caller } as const]),
      ]}
    >
      {text !== null && <p className="whitespace-pre-wrap text-text-muted">{text}</p>}
      {isWithheld && (
        <p className="text-text-muted">This call is open, so its texts aren’t shown to operators.</p>
      )}
      <ul className="list-disc pl-5 text-xs">
        {thing.reports.map((report) => (
          <li key={`${report.at} ${report.reporterHandle}`}>
            {`${report.reason.replace('_', ' ')}, by @${report.reporterHandle}`}
            {report.text !== null && `: ${report.text}`}
          </li>
        ))}
      </ul>
    </Row>
  );
}

function countProblems({ error, problemCount }: LedgerCheck): number {
  return (error === null ? 0 : 1) + (problemCount ?? 0);
}
