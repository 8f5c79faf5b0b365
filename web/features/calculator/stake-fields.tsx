import { toDay } from '#schema/rules/text/utc-day.ts';
import { AmountPerCall } from '#web/lib/money/amount-per-call.tsx';
import { Field } from '#web/ui/controls/field.tsx';
import { Input } from '#web/ui/controls/input.tsx';

export interface StakeFieldsProps {
  amount: string;
  onAmountChange: (amount: string) => void;
  day: string;
  onDayChange: (day: string) => void;
  first: string;
  now: number;
}

export function StakeFields({ amount, onAmountChange, day, onDayChange, first, now }: StakeFieldsProps) {
  return (
    <div className="grid grid-cols-2 gap-x-4 sm:flex">
      <AmountPerCall value={amount} onChange={onAmountChange} className="sm:w-40" />
      <Field
        label="Since"
        className="sm:w-44"
        error={readDay(day, { first, now }) === null && 'Choose a day up to today.'}
      >
        <Input
          type="date"
          min={first}
          max={toDay(now)}
          value={day}
          onChange={(event) => onDayChange(event.target.value)}
        />
      </Field>
    </div>
  );
}

/** The start of the day in UTC, but not before the first call. Null without a day, and after today. */
export function readDay(day: string, { first, now }: Pick<StakeFieldsProps, 'first' | 'now'>): number | null {
  return Date.parse(day) <= now ? Math.max(Date.parse(day), Date.parse(first)) : null;
}
