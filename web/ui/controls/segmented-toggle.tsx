import { useId, type ReactNode } from 'react';
import { classNames } from '../class-names.ts';
import { useEarlyChoice } from './use-early-choice.ts';

export interface SegmentedToggleProps<Value extends string> {
  label: string;
  value: Value;
  onValueChange: (value: Value) => void;
  options: readonly { readonly value: Value; readonly label: ReactNode }[];
  className?: string | undefined;
}

/** Radio buttons side by side, for two or three options. */
export function SegmentedToggle<Value extends string>({
  label,
  value,
  onValueChange,
  options,
  className,
}: SegmentedToggleProps<Value>) {
  const name = useId();
  const ref = useEarlyChoice<HTMLDivElement, Value>({
    value,
    onChoice: onValueChange,
    read: (group) => {
      const checked = group.querySelector<HTMLInputElement>(':checked')?.value;
      return options.find((option) => option.value === checked)?.value ?? value;
    },
  });
  return (
    <div
      ref={ref}
      role="radiogroup"
      aria-label={label}
      className={classNames(
        'inline-flex max-w-full flex-wrap rounded-md border border-line-strong bg-surface-sunk',
        className,
      )}
    >
      {options.map((option) => (
        <label
          key={option.value}
          className={classNames(
            'relative -m-px flex h-11 flex-1 items-center justify-center gap-2 rounded-md border border-transparent px-3 sm:px-4',
            'text-sm font-medium whitespace-nowrap text-text-muted transition-colors select-none',
            'has-checked:border-text has-checked:bg-surface-raised has-checked:text-text hover:text-text',
            'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent-text',
          )}
        >
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onValueChange(option.value)}
            className="absolute inset-0 appearance-none outline-none"
          />
          {option.label}
        </label>
      ))}
    </div>
  );
}
