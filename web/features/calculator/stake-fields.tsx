import type { CopiedCall } from '#schema/contracts/callers.ts';
import { AmountPerCall } from '#web/lib/money/amount-per-call.tsx';
import { formatDay, UTC } from '#web/lib/text/dates.ts';
import { Field } from '#web/ui/controls/field.tsx';
import { Input } from '#web/ui/controls/input.tsx';

export interface StakeFieldsProps {
  amount: string;
  onAmountChange: (amount: string) => void;
  /** 'YYYY-MM-DD' in UTC */
  day: string;
  onDayChange: (day: string) => void;
  span: Span;
}

/** The days that can be chosen. */
export interface Span {
  /** 'YYYY-MM-DD' in UTC */
  readonly first: string;
  /** Unix ms. */
  readonly now: number;
}

/** The amount per call and the first day, which the calculator needs. */
export function StakeFields({ amount, onAmountChange, day, onDayChange, span }: StakeFieldsProps) {
  return (
    <div className="grid grid-cols-2 gap-x-4 sm:flex">
      <AmountPerCall value={amount} onChange={onAmountChange} className="sm:w-40" />
      <Field
        label="Since"
        className="sm:w-44"
        error={
          readDay(day, span) === null &&
          `Choose a day from ${formatDay(Date.parse(span.first), UTC)} to today.`
        }
      >
        <Input
          type="date"
          min={span.first}
          max={toDay(span.now)}
          value={day}
          onChange={(event) => onDayChange(event.target.value)}
        />
      </Field>
    </div>
  );
}

/** 'YYYY-MM-DD' in UTC, as a date input needs it. */
export const toDay = (at: number) => new Date(at).toISOString().slice(0, 10);

/** The day of a caller's first call. There must be a call. */
export const firstDay = (calls: readonly CopiedCall[]) =>
  toDay(Math.min(...calls.map(({ callTimestamp }) => Date.parse(callTimestamp))));

/** The start of the day in UTC. Null if it isn't between the first call and today. */
export function readDay(day: string, { first, now }: Span): number | null {
  const at = Date.parse(day);
  return at >= Date.parse(first) && at <= now ? at : null;
}
