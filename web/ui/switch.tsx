import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

export interface SwitchProps {
  label: ReactNode;
  checked: boolean;
  onCheckedChange: (isChecked: boolean) => void;
  disabled?: boolean | undefined;
  /** The id of a sentence that says more. */
  describedBy?: string | undefined;
  className?: string | undefined;
}

/** On or off, at once. The knob is one end of a line. */
export function Switch({ label, checked, onCheckedChange, disabled = false, describedBy, className }: SwitchProps) {
  return (
    <label className={classNames('inline-flex min-h-11 items-center gap-2.5 text-sm whitespace-nowrap', disabled && 'opacity-55', className)}>
      <input
        type="checkbox"
        role="switch"
        checked={checked}
        aria-checked={checked}
        aria-describedby={describedBy}
        disabled={disabled}
        onChange={(event) => onCheckedChange(event.target.checked)}
        className={classNames(
          'relative h-5 w-9 shrink-0 appearance-none rounded-full border border-line-strong bg-surface-sunk transition-colors checked:border-accent-text checked:bg-accent',
          'before:absolute before:top-[3px] before:left-[3px] before:size-3 before:rounded-full before:bg-line-strong before:transition-transform',
          'checked:before:translate-x-4 checked:before:bg-on-accent',
        )}
      />
      {label}
    </label>
  );
}
