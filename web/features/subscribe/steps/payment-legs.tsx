import { PLATFORM_FEE_PERCENT, PRODUCT_NAME } from '#schema/constants.ts';
import { formatSolForDisplay } from '#schema/rules/money/lamports.ts';
import { Address } from '#web/ui/figures/address.tsx';
import { AmountRow } from '#web/lib/money/amount-row.tsx';
import type { PaymentTerms } from '../payment/payment-terms.ts';

/** Shows both transfers of a payment and their sum. */
export function PaymentLegs({ terms, callerName }: { terms: PaymentTerms; callerName: string }) {
  return (
    <dl className="divide-y divide-line rounded-md border border-line text-sm">
      <AmountRow
        label={<LegLabel name={callerName} percent={100 - PLATFORM_FEE_PERCENT} />}
        amount={formatSolForDisplay(terms.callerLamports)}
      >
        <Address value={terms.callerAddress} label={`payout address of ${callerName}`} isFull />
      </AmountRow>
      <AmountRow
        label={<LegLabel name={PRODUCT_NAME} percent={PLATFORM_FEE_PERCENT} />}
        amount={formatSolForDisplay(terms.platformLamports)}
      >
        <Address value={terms.platformAddress} label={`address of ${PRODUCT_NAME}`} isFull />
      </AmountRow>
      <AmountRow label="Total" amount={formatSolForDisplay(terms.totalLamports)} isTotal />
    </dl>
  );
}

function LegLabel({ name, percent }: { name: string; percent: number }) {
  return (
    <>
      <bdi>{name}</bdi> <span className="text-text-muted">{percent}%</span>
    </>
  );
}
