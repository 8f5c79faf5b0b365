import type { ReactNode } from 'react';
import { PLATFORM_FEE_PERCENT, PRODUCT_NAME } from '#schema/constants.ts';
import { formatSolForDisplay } from '#schema/rules/lamports.ts';
import { Address } from '#web/ui/address.tsx';
import type { PaymentTerms } from './payment-terms.ts';

/** Both transfers of a payment and their sum. */
export function PaymentLegs({ terms, callerName }: { terms: PaymentTerms; callerName: string }) {
  return (
    <dl className="divide-y divide-line rounded-md border border-line text-sm">
      <Leg label={callerName} note={`${100 - PLATFORM_FEE_PERCENT}%`} lamports={terms.callerLamports}>
        <Address value={terms.callerAddress} label={`payout address of ${callerName}`} isFull />
      </Leg>
      <Leg label={PRODUCT_NAME} note={`${PLATFORM_FEE_PERCENT}%`} lamports={terms.platformLamports}>
        <Address value={terms.platformAddress} label={`address of ${PRODUCT_NAME}`} isFull />
      </Leg>
      <Leg label="Total" lamports={terms.totalLamports} isTotal />
    </dl>
  );
}

interface LegProps {
  label: string;
  note?: string;
  lamports: bigint;
  isTotal?: boolean;
  children?: ReactNode;
}

function Leg({ label, note, lamports, isTotal = false, children }: LegProps) {
  return (
    <div className="grid grid-cols-[1fr_auto] items-baseline gap-x-4 px-4 py-3">
      <dt className={isTotal ? 'font-semibold' : undefined}>
        <bdi>{label}</bdi> {note !== undefined && <span className="text-text-muted">{note}</span>}
      </dt>
      <dd className={isTotal ? 'figures text-lg font-semibold' : 'figures font-medium'}>
        {formatSolForDisplay(lamports)} SOL
      </dd>
      {children !== undefined && <dd className="col-span-2 mt-1">{children}</dd>}
    </div>
  );
}
