import { Card } from '#web/ui/lists/card.tsx';
import { Table, TableCell, TableHead, TableHeaderCell, TableRow } from '#web/ui/lists/table.tsx';
import { PaymentAmount, PaymentPeriod, ReceiptLink, type PaymentRowsProps } from './payment-row.tsx';
import { PaymentStateBadge } from './payment-state.tsx';

export function PaymentsTable({ rows, labels }: PaymentRowsProps) {
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
