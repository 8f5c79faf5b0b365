import { ChevronDown } from '../icons.tsx';
import { classNames } from '../class-names.ts';
import { controlClassName } from './control-class-name.ts';
import { useFieldAttributes } from './field.tsx';
import { useEarlyChoice } from './use-early-choice.ts';

interface SelectProps<Value extends string> {
  value: Value;
  onValueChange: (value: Value) => void;
  options: readonly { readonly value: Value; readonly label: string }[];
  isDisabled?: boolean;
}

/** A native select, because phones show it as their own list. */
export function Select<Value extends string>({
  value,
  onValueChange,
  options,
  isDisabled,
}: SelectProps<Value>) {
  const field = useFieldAttributes();
  const read = (select: HTMLSelectElement) =>
    options.find((option) => option.value === select.value)?.value ?? value;
  const ref = useEarlyChoice<HTMLSelectElement, Value>({ value, onChoice: onValueChange, read });
  return (
    <span className="relative block">
      <select
        {...field}
        ref={ref}
        value={value}
        disabled={isDisabled}
        onChange={(event) => onValueChange(read(event.target))}
        className={classNames(controlClassName, 'h-11 appearance-none pr-9')}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <ChevronDown size={16} className="pointer-events-none absolute top-3.5 right-3 text-text-muted" />
    </span>
  );
}
