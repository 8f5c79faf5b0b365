import type { ReactNode } from 'react';
import type { OperatorsOverview, Problem, ProblemKind, ReportedThing } from '#schema/contracts/operators.ts';
import { keysOf } from '#schema/rules/typed-keys.ts';
import { Badge } from '#web/ui/people/badge.tsx';
import { Card } from '#web/ui/lists/card.tsx';
import { Row } from './actions.tsx';

interface ListTexts {
  title: string;
  /** Without it, an empty list isn't shown. */
  none?: string;
  hasHistory?: boolean;
}

const LISTS: Readonly<Record<ProblemKind, ListTexts>> = {
  unreadable: { title: 'Payments that can’t be read', hasHistory: true },
  orphans: { title: 'Orphan payments', none: 'All money matches a payment.', hasHistory: true },
  orphanPayers: { title: 'Wallets with several orphans' },
  messages: { title: 'Messages that weren’t sent', none: 'All messages were sent.' },
  jobs: { title: 'Cron and RPC endpoints', none: 'All work.' },
  ledgerChecks: { title: 'Ledger checks', none: 'No check has run yet.' },
};

export function ProblemCards({ overview: { problems, reported } }: { overview: OperatorsOverview }) {
  return (
    <>
      <Problems title="Reports" none="There are no open reports." rows={reported}>
        {(thing) => <Report key={`${thing.kind} ${thing.subjectId}`} thing={thing} />}
      </Problems>
      {keysOf(LISTS).map((kind) => (
        <ProblemList key={kind} {...LISTS[kind]} rows={problems[kind]} />
      ))}
    </>
  );
}

function ProblemList({ title, none, hasHistory, rows }: ListTexts & { rows: readonly Problem[] }) {
  if (rows.length === 0 && none === undefined) return null;
  const count = rows.reduce((sum, row) => sum + row.count, 0);
  return (
    <Problems title={title} none={none} rows={rows} problems={count}>
      {(row) => (
        <Row
          key={row.id}
          title={row.title}
          at={row.at ?? undefined}
          text={row.text}
          actions={row.actions.map((action) => ({
            action,
            subjectId: row.id,
            about: `${row.title}, ${row.id}`,
          }))}
          payment={hasHistory ? row.id : undefined}
        />
      )}
    </Problems>
  );
}

interface ProblemListProps<Item> {
  title: string;
  none: string | undefined;
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
