import { formatPrice } from '#schema/rules/format.ts';
import { useState } from 'react';
import { classNames } from './class-names.ts';

export interface PriceProps {
  /** Decimal string in USD. */
  value: string | number | null | undefined;
  /** The place's own rule from schema/rules/format.ts. */
  format?: ((value: string | number) => string) | undefined;
  /** Stands where there is no price. */
  missing?: string | undefined;
  className?: string | undefined;
}

/** A price in USD with exactly the decimals of its place; leading zeros are muted, never dropped. */
export function Price({ value, format = formatPrice, missing = '–', className }: PriceProps) {
  const text = value === null || value === undefined || value === '' ? missing : format(value);
  const direction = useTick(Number(value));
  const lead = /^0\.0*(?=[1-9])/.exec(text)?.[0] ?? '';
  const isNumber = /^[\d.,]+$/.test(text);
  return (
    <span
      // A new element starts its motion anew.
      key={text}
      className={classNames(
        'figures font-mono',
        /* The unit is drawn, not text: what one copies is the number. */
        direction === 'up' && 'animate-tick-up',
        direction === 'down' && 'animate-tick-down',
        isNumber ? "before:text-text-muted before:content-['$']" : 'text-text-muted',
        className,
      )}
    >
      {lead !== '' && <span className="text-text-muted">{lead}</span>}
      {text.slice(lead.length)}
    </span>
  );
}

/** Which way a price moved when it last changed before our eyes; nothing until then. */
function useTick(value: number): 'up' | 'down' | undefined {
  const [seen, setSeen] = useState<{ value: number; direction: 'up' | 'down' | undefined }>({
    value,
    direction: undefined,
  });
  if (Object.is(value, seen.value)) return seen.direction;
  const direction = value > seen.value ? 'up' : value < seen.value ? 'down' : undefined;
  setSeen({ value, direction });
  return direction;
}
