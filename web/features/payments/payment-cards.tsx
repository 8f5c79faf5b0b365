import type { ReactNode } from 'react';
import { PaymentAmount, PaymentPeriod, ReceiptLink, type PaymentRowsProps } from './payment-row.tsx';
import { PaymentStateBadge } from './payment-state.tsx';

export function PaymentCards({ rows, labels }: PaymentRowsProps) {
  return (
    <ul
      aria-label={labels.list}
      className="divide-y divide-line overflow-clip rounded-md border border-line bg-surface-raised"
    >
      {rows.map((row) => (
        <li key={row.payment.id} className="relative px-4 py-3 text-sm hover:bg-surface-hover">
          <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
            <div className="min-w-0 flex-1 basis-32">{row.otherParty}</div>
            <span className="figures ml-auto text-right text-base font-semibold">
              <PaymentAmount amount={row.amounts.at(-1) ?? ''} state={row.payment.state} />
            </span>
          </div>
          <div className="mt-2 flex items-center justify-between gap-3">
            <ReceiptLink row={row} />
            <PaymentStateBadge {...row.payment} />
          </div>
          <dl className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-xs text-text-muted">
            <Detail label="Period">
              <PaymentPeriod period={row.payment.period} />
            </Detail>
            {row.amounts.slice(0, -1).map((amount, index) => (
              <Detail key={labels.amounts[index]} label={labels.amounts[index] ?? ''}>
                <span className="figures">
                  <PaymentAmount amount={amount} state={row.payment.state} isInline />
                </span>
              </Detail>
            ))}
          </dl>
        </li>
      ))}
    </ul>
  );
}

function Detail({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex gap-1">
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
