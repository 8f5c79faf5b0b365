import { MAX_CALCULATOR_STAKE_USD } from '#schema/constants/market.ts';
import { formatUsd } from '#schema/rules/text/format.ts';
import { Field } from '#web/ui/controls/field.tsx';
import { Input } from '#web/ui/controls/input.tsx';

export function readStake(text: string): number | null {
  const stake = /^\d{1,6}$/.test(text.trim()) ? Number(text) : 0;
  return stake >= 1 && stake <= MAX_CALCULATOR_STAKE_USD ? stake : null;
}

export interface AmountPerCallProps {
  value: string;
  onChange: (value: string) => void;
  className?: string;
}

export function AmountPerCall({ value, onChange, className }: AmountPerCallProps) {
  const error =
    readStake(value) === null && `Enter a whole amount from $1 to ${formatUsd(MAX_CALCULATOR_STAKE_USD)}.`;
  return (
    <Field label="Amount per call" className={className} error={error}>
      <Input
        inputMode="numeric"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        suffix="USD"
      />
    </Field>
  );
}
