import { useMutation, useQuery, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { TITLES } from '#schema/rules/text/page-texts.ts';
import { PAUSABLE } from '#schema/constants/running.ts';
import type { Pausable, Pause } from '#schema/contracts/pauses.ts';
import type { AuditEntry, OperatorsOverview } from '#schema/contracts/operators.ts';
import { overviewQuery, auditQuery, testAlarmMutation } from '#web/api/operators.queries.ts';
import { formatMinute } from '#web/lib/text/dates.ts';
import { showError } from '#web/lib/page/show-error.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Fold } from '#web/ui/lists/fold.tsx';
import { toast } from '#web/ui/overlays/toast-queue.ts';
import { Badge } from '#web/ui/people/badge.tsx';
import { Card } from '#web/ui/lists/card.tsx';
import { ListState } from '#web/lib/page/list-state.tsx';
import { ShowMore } from '#web/lib/page/show-more.tsx';
import { Table, TableCell, TableHead, TableHeaderCell, TableRow } from '#web/ui/lists/table.tsx';
import { ActionDialog } from './action-dialog.tsx';
import { ACTION_LABELS, type PlannedAction } from './action-labels.ts';
import { PaymentCard } from './payment-card.tsx';
import { PeopleCard } from './people-card.tsx';
import { ProblemCards } from './problem-cards.tsx';
import { Actions, PlanContext, Row, type SearchedCardProps } from './actions.tsx';

export interface OperatorsPageProps {
  people: SearchedCardProps;
  payment: SearchedCardProps;
}

export function OperatorsPage({ people, payment }: OperatorsPageProps) {
  const query = useQuery(overviewQuery);
  const [planned, setPlanned] = useState<PlannedAction | null>(null);
  return (
    <div className="desk space-y-4 py-6">
      <h1 className="text-xl font-semibold tracking-tight">{TITLES.operators}</h1>
      <ListState query={query} what="what users can’t do">
        {(overview) => <OutagesCard overview={overview} />}
      </ListState>
      <PlanContext value={setPlanned}>
        <PeopleCard {...people} />
        <PaymentCard {...payment} />
        <ListState query={query} what="the problems">
          {(overview) => (
            <>
              <PausesCard pauses={overview.pauses} />
              <ProblemCards overview={overview} />
            </>
          )}
        </ListState>
      </PlanContext>
      <AuditCard />
      <ActionDialog planned={planned} onClose={() => setPlanned(null)} />
    </div>
  );
}

/** The first thing that operators see: what users can't do now, why, and the last alarms. */
function OutagesCard({ overview: { outages, alarms, cronRanAt } }: { overview: OperatorsOverview }) {
  const test = useMutation({
    ...testAlarmMutation,
    onSuccess: ({ message }) => toast({ title: 'Test alarm', description: message }),
    onError: (error) => showError(error, 'No alarm was sent'),
  });
  return (
    <Card
      title="What can’t users do now?"
      description={
        cronRanAt === null ? 'The cron has not run yet.' : `The cron last ran ${formatMinute(cronRanAt)}.`
      }
      aside={
        <Button size="sm" isPending={test.isPending} onClick={() => test.mutate()}>
          Send a test alarm
        </Button>
      }
      isFlush
    >
      <ul aria-label="What users can’t do" className="divide-y divide-line *:px-4">
        {outages.length === 0 && <Row title="Nothing: everything works." />}
        {outages.map(({ ability, since, effect, act }) => (
          <Row key={ability} title={effect} at={since} text={`What to do: ${act}`} />
        ))}
      </ul>
      {alarms.length > 0 && (
        <div className="border-t border-line p-4">
          <Fold title={`Last alarms (${alarms.length})`}>
            <ul aria-label="Last alarms" className="divide-y divide-line">
              {alarms.map(({ at, text }) => (
                <Row
                  key={`${at} ${text}`}
                  title={text.split('\n', 1)}
                  at={at}
                  text={text.split('\n').slice(1).join('\n')}
                />
              ))}
            </ul>
          </Fold>
        </div>
      )}
    </Card>
  );
}

const NAMES: Readonly<Record<Pausable, string>> = {
  payments: 'New payments',
  calls: 'New calls',
  posting: 'Messages about calls, and posts on X',
};

function PausesCard({ pauses }: { pauses: readonly Pause[] }) {
  return (
    <Card title="Pauses" description="For everybody, with a banner that says why" isFlush>
      <ul aria-label="Pauses" className="divide-y divide-line">
        {PAUSABLE.map((kind) => {
          const pause = pauses.find((each) => each.kind === kind);
          const action = pause ? 'resume' : 'pause';
          return (
            <li key={kind} className="flex flex-wrap items-start justify-between gap-3 px-4 py-3 text-sm">
              <div className="min-w-0 wrap-anywhere">
                <p className="flex flex-wrap items-center gap-2 font-medium">
                  {NAMES[kind]}
                  {pause && <Badge tone="warn">Paused</Badge>}
                </p>
                {pause && (
                  <p className="text-text-muted">{`Since ${formatMinute(pause.since)}: ${pause.reason}`}</p>
                )}
              </div>
              <Actions actions={[{ action, subjectId: kind, about: NAMES[kind] }]} />
            </li>
          );
        })}
      </ul>
    </Card>
  );
}

function AuditCard() {
  const query = useInfiniteQuery(auditQuery);
  return (
    <Card title="Audit" description="Everything that operators did, newest first" isFlush>
      <ListState
        query={query}
        what="the audit"
        empty={{ title: 'Nothing yet', description: 'Every action appears here with its reason.' }}
      >
        {(entries) => <AuditTable entries={entries} />}
      </ListState>
      <ShowMore query={query} failure="Couldn't load older actions. Try again." className="mt-6 pb-6">
        Show more
      </ShowMore>
    </Card>
  );
}

function AuditTable({ entries }: { entries: readonly AuditEntry[] }) {
  return (
    <Table label="Audit">
      <TableHead>
        <TableHeaderCell>Action</TableHeaderCell>
        <TableHeaderCell>Subject</TableHeaderCell>
        <TableHeaderCell>Reason</TableHeaderCell>
        <TableHeaderCell>Operator</TableHeaderCell>
        <TableHeaderCell>At</TableHeaderCell>
      </TableHead>
      <tbody>
        {entries.map((entry) => (
          <TableRow key={entry.id}>
            <TableCell isRowHeader className="whitespace-nowrap">
              {ACTION_LABELS[entry.action]}
            </TableCell>
            <TableCell className="max-w-56 min-w-40 wrap-anywhere">
              {entry.kind !== null && `${entry.kind} `}
              {entry.subjectHandle === null ? entry.subjectId : `@${entry.subjectHandle}`}
            </TableCell>
            <TableCell className="min-w-48 wrap-anywhere">{entry.reason}</TableCell>
            <TableCell>
              {entry.operatorHandle === null ? entry.operatorXId : `@${entry.operatorHandle}`}
            </TableCell>
            <TableCell className="whitespace-nowrap">
              <time dateTime={entry.at}>{formatMinute(entry.at)}</time>
            </TableCell>
          </TableRow>
        ))}
      </tbody>
    </Table>
  );
}
