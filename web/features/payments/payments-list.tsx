import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { Page } from '#web/api/pages.ts';
import { LoadFailed } from '#web/lib/page/load-failed.tsx';
import { EmptyState, type EmptyStateProps } from '#web/ui/lists/empty-state.tsx';
import { ShowMore } from '#web/lib/page/show-more.tsx';
import { Card } from '#web/ui/lists/card.tsx';
import { RowSkeletons } from '#web/ui/lists/row-skeletons.tsx';
import { Table, TableCell, TableHead, TableHeaderCell, TableRow } from '#web/ui/lists/table.tsx';
import {
  PaymentAmount,
  PaymentPeriod,
  ReceiptLink,
  type PaymentRow,
  type RowLabels,
} from './payment-row.tsx';
import { PaymentStateBadge, PaymentStateLegend } from './payment-state.tsx';

export interface PaymentsListProps<Payment> {
  query: UseInfiniteQueryResult<InfiniteData<Page<Payment>>>;
  labels: RowLabels;
  toRow: (payment: Payment) => PaymentRow;
  empty: EmptyStateProps;
}

export function PaymentsList<Payment>({ query, labels, toRow, empty }: PaymentsListProps<Payment>) {
  if (query.isPending) {
    return (
      <Card isFlush className="mb-[50dvh]">
        <RowSkeletons count={6} label={`Loading ${labels.list.toLowerCase()}`} />
      </Card>
    );
  }
  // If a refetch fails, `query.data` still has the earlier payments.
  if (!query.data) return <LoadFailed what={labels.list.toLowerCase()} query={query} />;
  const rows = query.data.pages.flatMap((page) => page.rows.map(toRow));
  if (rows.length === 0) return <EmptyState {...empty} />;
  return (
    <>
      <PaymentsTable rows={rows} labels={labels} />
      <ShowMore query={query} failure="Couldn't load older payments. Try again.">
        Show older payments
      </ShowMore>
      <PaymentStateLegend />
    </>
  );
}

function PaymentsTable({ rows, labels }: { rows: readonly PaymentRow[]; labels: RowLabels }) {
  return (
    <Card isFlush>
      <Table label={labels.list} hasCards>
        <TableHead>
          <TableHeaderCell>Paid</TableHeaderCell>
          <TableHeaderCell>{labels.otherParty}</TableHeaderCell>
          <TableHeaderCell className="max-lg:hidden">Period</TableHeaderCell>
          <TableHeaderCell>Status</TableHeaderCell>
          {labels.amounts.map((label) => (
            <TableHeaderCell key={label} isNumeric>
              {label}
            </TableHeaderCell>
          ))}
        </TableHead>
        <tbody>
          {rows.map((row) => (
            <TableRow key={row.payment.id} isLinked>
              <TableCell isRowHeader>
                <ReceiptLink row={row} />
              </TableCell>
              <TableCell className="md:max-w-56">{row.otherParty}</TableCell>
              <TableCell label="Period" className="text-text-muted max-lg:hidden">
                <PaymentPeriod period={row.payment.period} />
              </TableCell>
              <TableCell label="Status">
                <PaymentStateBadge {...row.payment} />
              </TableCell>
              {row.amounts.map((amount, index) => (
                <TableCell
                  key={labels.amounts[index]}
                  isNumeric
                  {...(index < row.amounts.length - 1 && { label: labels.amounts[index] })}
                  className={index === row.amounts.length - 1 ? 'font-semibold' : 'text-text-muted'}
                >
                  <PaymentAmount amount={amount} state={row.payment.state} />
                </TableCell>
              ))}
            </TableRow>
          ))}
        </tbody>
      </Table>
    </Card>
  );
}
