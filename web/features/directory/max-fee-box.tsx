import { Input } from '#web/ui/controls/input.tsx';
import { useEarlyChoice } from '#web/ui/controls/use-early-choice.ts';
import { readMaxFee } from './directory-search.ts';
import { useTypedValue } from '#web/ui/controls/use-typed-value.ts';

export interface MaxFeeBoxProps {
  /** The maximum fee in SOL, in steps of 0.1. Empty if there is none. */
  value: string;
  onValueChange: (value: string) => void;
}

/** A field for the maximum fee. When the field loses the focus, the rounded value replaces the typed text. */
export function MaxFeeBox({ value, onValueChange }: MaxFeeBoxProps) {
  const { text, setText } = useTypedValue({ value, onValueChange, read: readTyped });
  const ref = useEarlyChoice<HTMLInputElement, string>({
    value: text,
    onChoice: setText,
    read: (input) => onlyNumber(input.value),
  });
  return (
    <Input
      ref={ref}
      type="text"
      inputMode="decimal"
      placeholder="Max fee"
      suffix="SOL"
      autoComplete="off"
      spellCheck={false}
      value={text}
      onChange={(event) => setText(onlyNumber(event.target.value))}
      onBlur={() => setText(readMaxFee(text) ?? '')}
    />
  );
}

/** Returns null for unfinished numbers such as '2.' and '.'. */
function readTyped(text: string): string | null {
  return text.endsWith('.') ? null : (readMaxFee(text) ?? '');
}

/** Removes all but digits and one decimal point. A comma counts as a point, because many keyboards have no point. */
function onlyNumber(text: string): string {
  const [whole = '', ...decimals] = text
    .replaceAll(',', '.')
    .replace(/[^\d.]/g, '')
    .split('.');
  return decimals.length === 0 ? whole.slice(0, 6) : `${whole.slice(0, 6)}.${decimals.join('').slice(0, 9)}`;
}
