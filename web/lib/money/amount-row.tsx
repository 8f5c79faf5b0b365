import type { ReactNode } from 'react';
import { SolUsd } from '#web/lib/money/sol-usd.tsx';

export interface AmountRowProps {
  label: ReactNode;
  amount: string;
  isTotal?: boolean;
  isPast?: boolean;
  children?: ReactNode;
}

export function AmountRow({ label, amount, isTotal = false, isPast = false, children }: AmountRowProps) {
  return (
    <div className="grid grid-cols-[1fr_auto] items-baseline gap-x-4 px-4 py-3">
      <dt className={isTotal ? 'font-semibold' : undefined}>{label}</dt>
      <dd className="text-right">
        <span className={isTotal ? 'figures text-lg font-semibold' : 'figures font-medium'}>
          {amount} SOL
        </span>
        <SolUsd sol={amount} isPast={isPast} className={isPast ? 'print:hidden' : undefined} />
      </dd>
      {children !== undefined && <dd className="col-span-2 mt-1">{children}</dd>}
    </div>
  );
}
