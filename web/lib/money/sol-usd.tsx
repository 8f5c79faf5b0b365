import { useQuery } from '@tanstack/react-query';
import { describeSolInUsd, isSolAmount, solPriceUntil } from '#schema/rules/money/sol-usd.ts';
import { solPriceQuery } from '#web/api/sol-price.queries.ts';
import { classNames } from '#web/ui/class-names.ts';
import { useTimeDerivedValue } from '#web/ui/figures/use-now.ts';

/** An amount in SOL in today's dollars, such as '≈ $75.00'. Null without a recent price. */
export function useSolInUsd(sol: string | null): string | null {
  const price = useQuery({ ...solPriceQuery, enabled: isSolAmount(sol) }).data?.sol ?? null;
  const until = price === null ? Number.POSITIVE_INFINITY : solPriceUntil(price);
  return useTimeDerivedValue((now) => describeSolInUsd({ sol, price, now }), until);
}

export interface SolUsdProps {
  sol: string | null;
  /** True for an amount that was paid earlier. The text then says that the value is today's. */
  isPast?: boolean;
  isInline?: boolean;
  className?: string | undefined;
}

/**
 * The value of an amount in SOL in dollars, at the current price. Unless `isInline`, it has its own line,
 * which has the same height without a recent price. Renders nothing for a zero or invalid amount.
 */
export function SolUsd({ sol, isPast = false, isInline = false, className }: SolUsdProps) {
  const usd = useSolInUsd(sol);
  if (!isSolAmount(sol)) return null;
  return (
    <span className={classNames('note figures', isInline ? 'inline' : 'min-h-4', className)}>
      {usd !== null && `${isInline ? ' ' : ''}${usd}${isPast ? ' today' : ''}`}
    </span>
  );
}
