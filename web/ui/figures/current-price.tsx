import { formatPriceAge, freshUntil, staleAge } from '#schema/rules/prices/price-age.ts';
import type { ShownPrice } from '#schema/contracts/prices.ts';
import { formatTime } from '#web/lib/text/dates.ts';
import { classNames } from '../class-names.ts';
import { Price, type PriceProps } from './price.tsx';
import { useIsHydrated } from '../use-is-hydrated.ts';
import { useNow } from './use-now.ts';

export interface CurrentPriceProps extends Omit<PriceProps, 'value'> {
  price: Pick<ShownPrice, 'price' | 'at'> | null | undefined;
}

/** A token's current price. An outdated price is muted and shows its age. */
export function CurrentPrice({ price, className, ...rest }: CurrentPriceProps) {
  return price ? (
    <TimedPrice price={price} className={className} {...rest} />
  ) : (
    <Price value={null} className={className} {...rest} />
  );
}

function TimedPrice({
  price,
  className,
  ...rest
}: CurrentPriceProps & { price: Pick<ShownPrice, 'price' | 'at'> }) {
  const age = staleAge(price, useNow(freshUntil(price)));
  const isHydrated = useIsHydrated();
  if (age === null) return <Price value={price.price} className={className} {...rest} />;
  return (
    <span title={isHydrated ? `Last price: ${formatTime(price.at)}` : undefined}>
      <Price value={price.price} className={classNames('text-text-muted', className)} {...rest} />{' '}
      <span className="note whitespace-nowrap">{formatPriceAge(age)}</span>
    </span>
  );
}
