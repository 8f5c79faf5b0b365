import { useInfiniteQuery } from '@tanstack/react-query';
import type { AuditEntry } from '#schema/contracts/operators.ts';
import { auditQuery } from '#web/api/operators.queries.ts';
import { formatMinute } from '#web/lib/text/dates.ts';
import { ListState } from '#web/lib/page/list-state.tsx';
import { Card } from '#web/ui/lists/card.tsx';
import { ShowMore } from '#web/lib/page/show-more.tsx';
import { Table, TableCell, TableHead, TableHeaderCell, TableRow } from '#web/ui/lists/table.tsx';
import { ACTION_LABELS } from './action-labels.ts';

export function AuditCard() {
  const query = useInfiniteQuery({
    ...auditQuery,
    select: ({ pages }) => pages.flatMap(({ rows }) => rows),
  });
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
