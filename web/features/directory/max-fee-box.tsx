import { Input } from '#web/ui/input.tsx';
import { readMaxFee } from './directory-search.ts';
import { useTypedValue } from './use-typed-value.ts';

export interface MaxFeeBoxProps {
  /** SOL in steps of 0.1; empty for any fee. */
  value: string;
  onValueChange: (value: string) => void;
}

/** The maximum fee. On blur the text becomes the value that is used. */
export function MaxFeeBox({ value, onValueChange }: MaxFeeBoxProps) {
  const { text, setText } = useTypedValue({ value, onValueChange, read: readTyped });
  return (
    <Input
      type="text"
      inputMode="decimal"
      placeholder="Max fee"
      suffix="SOL"
      autoComplete="off"
      spellCheck={false}
      value={text}
      onChange={(event) => setText(keepNumber(event.target.value))}
      onBlur={() => setText(readMaxFee(text) ?? '')}
    />
  );
}

/* '2.' and '.' are unfinished numbers and change nothing yet. */
function readTyped(text: string): string | null {
  return text.endsWith('.') ? null : (readMaxFee(text) ?? '');
}

/* Keeps digits and one point. Many keyboards have a comma in its place. */
function keepNumber(text: string): string {
  const [whole = '', ...decimals] = text
    .replaceAll(',', '.')
    .replace(/[^\d.]/g, '')
    .split('.');
  return decimals.length === 0 ? whole.slice(0, 6) : `${whole.slice(0, 6)}.${decimals.join('').slice(0, 9)}`;
}
