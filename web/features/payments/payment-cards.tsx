import { formatSolAmount } from '#schema/rules/format.ts';
import { PaymentPeriod, ReceiptLink, type LineLabels, type PaymentLine } from './payment-line.tsx';
import { PaymentStateBadge } from './payment-state.tsx';

/** Payments for narrow screens; a card opens its receipt. */
export function PaymentCards({ lines, labels }: { lines: readonly PaymentLine[]; labels: LineLabels }) {
  return (
    <ul aria-label={labels.list} className="divide-y divide-line overflow-clip rounded-md border border-line bg-surface-raised">
      {lines.map((line) => (
        <li key={line.payment.id} className="relative px-4 py-3 text-sm hover:bg-surface-hover">
          <div className="flex items-center justify-between gap-3">
            {line.who}
            <span className="figures shrink-0 text-base font-semibold">{formatSolAmount(line.amounts.at(-1) ?? '')} SOL</span>
          </div>
          <div className="mt-2 flex items-center justify-between gap-3">
            <ReceiptLink line={line} />
            <PaymentStateBadge state={line.payment.state} />
          </div>
          <dl className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-xs text-text-muted">
            <Detail label="Period">
              <PaymentPeriod period={line.payment.period} />
            </Detail>
            {line.amounts.slice(0, -1).map((amount, index) => (
              <Detail key={labels.amounts[index]} label={labels.amounts[index] ?? ''}>
                <span className="figures">{formatSolAmount(amount)} SOL</span>
              </Detail>
            ))}
          </dl>
        </li>
      ))}
    </ul>
  );
}

function Detail({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div className="flex gap-1">
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
