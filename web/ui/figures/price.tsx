import { formatPrice } from '#schema/rules/prices/format-prices.ts';
import { useState } from 'react';
import { classNames } from '../class-names.ts';

export interface PriceProps {
  value: string | number | null | undefined;
  format?: ((value: string | number) => string) | undefined;
  missing?: string | undefined;
  className?: string | undefined;
}

/** Matches an abbreviated price: '0.0₉12' or '3.4B'. */
const ABBREVIATED = /[₀-₉]|[KMBTe]/;

/**
 * A price in USD. Leading zeros are muted. A changed price flashes briefly. The tooltip of an abbreviated
 * price shows the exact price.
 */
export function Price({ value, format = formatPrice, missing = '–', className }: PriceProps) {
  const text = value === null || value === undefined || value === '' ? missing : format(value);
  const direction = useTick(Number(value));
  const lead = /^0\.0*[₀-₉]*(?=[1-9])/.exec(text)?.[0] ?? '';
  const isNumber = /^\d/.test(text);
  return (
    <span
      // A new key restarts the animation.
      key={text}
      title={isNumber && ABBREVIATED.test(text) ? `$${value}` : undefined}
      className={classNames(
        direction === 'up' && 'animate-tick-up',
        direction === 'down' && 'animate-tick-down',
        isNumber ? 'price' : 'figures font-mono text-text-muted',
        className,
      )}
    >
      {lead !== '' && <span className="text-text-muted">{lead}</span>}
      {text.slice(lead.length)}
    </span>
  );
}

type Direction = 'up' | 'down' | undefined;

function useTick(value: number): Direction {
  const [last, setLast] = useState<{ value: number; direction: Direction }>({ value, direction: undefined });
  if (Object.is(value, last.value)) return last.direction;
  const direction = directionOf(last.value, value);
  setLast({ value, direction });
  return direction;
}

function directionOf(before: number, after: number): Direction {
  if (after > before) return 'up';
  return after < before ? 'down' : undefined;
}
