import { formatSolAmount } from '#schema/rules/text/format-amounts.ts';
import { AmountRow } from '#web/lib/money/amount-row.tsx';
import { Address } from '#web/ui/figures/address.tsx';

interface RefundAmountProps {
  label: string;
  amount: string;
  payerAddress: string;
}

/** The amount of a refund, and the wallet that gets it. */
export function RefundAmount({ label, amount, payerAddress }: RefundAmountProps) {
  return (
    <dl aria-label="Refund" className="divide-y divide-line rounded-md border border-line">
      <AmountRow label={label} amount={formatSolAmount(amount)} isTotal>
        <span className="text-text-muted">
          to the wallet that paid. It may belong to somebody else: an exchange, or whoever gave the
          subscription.
        </span>
        <Address value={payerAddress} label="address of the payer" isFull />
      </AmountRow>
    </dl>
  );
}
