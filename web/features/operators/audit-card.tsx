import { useInfiniteQuery } from '@tanstack/react-query';
import type { AuditEntry } from '#schema/contracts/operators.ts';
import { auditQuery } from '#web/api/operators.queries.ts';
import { formatMinute } from '#web/lib/text/dates.ts';
import { LoadFailed } from '#web/lib/page/load-failed.tsx';
import { Card } from '#web/ui/lists/card.tsx';
import { EmptyState } from '#web/ui/lists/empty-state.tsx';
import { RowSkeletons } from '#web/ui/lists/row-skeletons.tsx';
import { ShowMore } from '#web/ui/lists/show-more.tsx';
import { Table, TableCell, TableHead, TableHeaderCell, TableRow } from '#web/ui/lists/table.tsx';
import { ACTION_LABELS } from './action-labels.ts';

export function AuditCard() {
  const query = useInfiniteQuery(auditQuery);
  const entries = query.data?.pages.flatMap(({ rows }) => rows);
  return (
    <Card title="Audit" description="Everything that operators did, newest first" isFlush>
      {query.isPending && <RowSkeletons count={3} label="Loading the audit" />}
      {query.isLoadingError && <LoadFailed what="the audit" query={query} />}
      {entries?.length === 0 && (
        <EmptyState title="Nothing yet" description="Every action appears here with its reason." />
      )}
      {entries !== undefined && entries.length > 0 && <AuditTable entries={entries} />}
      {query.hasNextPage && (
        <div className="pb-6">
          <ShowMore isPending={query.isFetchingNextPage} onMore={() => query.fetchNextPage()}>
            Show more
          </ShowMore>
        </div>
      )}
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
            <TableCell className="max-w-56 wrap-anywhere">
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
