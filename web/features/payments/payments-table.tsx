import { Card } from '#web/ui/card.tsx';
import { Table, TableCell, TableHead, TableHeaderCell, TableRow } from '#web/ui/table.tsx';
import {
  PaymentAmount,
  PaymentPeriod,
  ReceiptLink,
  type RowLabels,
  type PaymentRow,
} from './payment-row.tsx';
import { PaymentStateBadge } from './payment-state.tsx';

/** Payments line by line; a line opens its receipt. */
export function PaymentsTable({ lines, labels }: { lines: readonly PaymentRow[]; labels: RowLabels }) {
  return (
    <Card isFlush>
      <Table label={labels.list}>
        <TableHead>
          <TableHeaderCell>Paid</TableHeaderCell>
          <TableHeaderCell>{labels.who}</TableHeaderCell>
          {/* A tablet has no room for it; the receipt says it. */}
          <TableHeaderCell className="max-lg:hidden">Period</TableHeaderCell>
          <TableHeaderCell>State</TableHeaderCell>
          {labels.amounts.map((label) => (
            <TableHeaderCell key={label} isNumeric>
              {label}
            </TableHeaderCell>
          ))}
        </TableHead>
        <tbody>
          {lines.map((line) => (
            <TableRow key={line.payment.id} isLinked>
              <TableCell>
                <ReceiptLink line={line} />
              </TableCell>
              <TableCell className="max-w-56">{line.who}</TableCell>
              <TableCell className="text-text-muted max-lg:hidden">
                <PaymentPeriod period={line.payment.period} />
              </TableCell>
              <TableCell>
                <PaymentStateBadge state={line.payment.state} />
              </TableCell>
              {line.amounts.map((amount, index) => (
                <TableCell
                  key={labels.amounts[index]}
                  isNumeric
                  className={index === line.amounts.length - 1 ? 'font-semibold' : 'text-text-muted'}
                >
                  <PaymentAmount amount={amount} state={line.payment.state} />
                </TableCell>
              ))}
            </TableRow>
          ))}
        </tbody>
      </Table>
    </Card>
  );
}
