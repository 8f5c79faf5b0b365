import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { ListState } from '#web/lib/page/list-state.tsx';
import type { EmptyStateProps } from '#web/ui/lists/empty-state.tsx';
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
  query: UseInfiniteQueryResult<readonly Payment[]>;
  labels: RowLabels;
  toRow: (payment: Payment) => PaymentRow;
  empty: EmptyStateProps;
}

export function PaymentsList<Payment>({ query, labels, toRow, empty }: PaymentsListProps<Payment>) {
  const what = labels.list.toLowerCase();
  const loading = (
    <Card isFlush>
      <RowSkeletons count={6} label={`Loading ${what}`} rows="row-cards" />
    </Card>
  );
  return (
    <ListState query={query} what={what} loading={loading} empty={empty}>
      {(payments) => (
        <>
          <PaymentsTable rows={payments.map(toRow)} labels={labels} />
          <ShowMore query={query} failure="Couldn't load older payments. Try again.">
            Show older payments
          </ShowMore>
          <PaymentStateLegend />
        </>
      )}
    </ListState>
  );
}

function PaymentsTable({ rows, labels }: { rows: readonly PaymentRow[]; labels: RowLabels }) {
  return (
    <Card isFlush>
      <Table label={labels.list} cards="row-cards">
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
              {row.amounts.map((amount, index) => {
                const isLast = index === row.amounts.length - 1;
                return (
                  <TableCell
                    key={labels.amounts[index]}
                    isNumeric
                    {...(!isLast && { label: labels.amounts[index] })}
                    className={isLast ? 'font-semibold' : 'text-text-muted'}
                  >
                    <PaymentAmount amount={amount} state={row.payment.state} hasUsd={isLast} />
                  </TableCell>
                );
              })}
            </TableRow>
          ))}
        </tbody>
      </Table>
    </Card>
  );
}
