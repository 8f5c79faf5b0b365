import { useId, type ReactNode } from 'react';
import { classNames } from '../class-names.ts';
import { useEarlyChoice } from './use-early-choice.ts';

export interface SwitchProps {
  label: ReactNode;
  checked: boolean;
  onCheckedChange: (isChecked: boolean) => void;
  description?: ReactNode;
  title?: string;
  className?: string | undefined;
}

export function Switch({ label, checked, onCheckedChange, description, title, className }: SwitchProps) {
  const id = useId();
  const ref = useEarlyChoice<HTMLInputElement, boolean>({
    value: checked,
    onChoice: onCheckedChange,
    read: (input) => input.checked,
  });
  const isDescribed = description !== undefined;
  return (
    <label
      title={title}
      className={classNames(
        'inline-flex min-h-11 gap-2.5 text-sm',
        isDescribed ? 'items-start py-2' : 'items-center whitespace-nowrap',
        className,
      )}
    >
      <input
        ref={ref}
        type="checkbox"
        role="switch"
        checked={checked}
        aria-checked={checked}
        {...(isDescribed && { 'aria-labelledby': `${id}-label`, 'aria-describedby': `${id}-description` })}
        onChange={(event) => onCheckedChange(event.target.checked)}
        className={classNames(
          'relative h-5 w-9 shrink-0 appearance-none rounded-full border border-line-strong bg-surface-sunk',
          'transition-colors checked:border-accent-text checked:bg-accent',
          'before:absolute before:top-[3px] before:left-[3px] before:size-3 before:rounded-full',
          'before:bg-line-strong before:transition-transform',
          'checked:before:translate-x-4 checked:before:bg-on-accent',
        )}
      />
      {isDescribed ? (
        <span className="min-w-0">
          <span id={`${id}-label`}>{label}</span>
          <span id={`${id}-description`} className="note">
            {description}
          </span>
        </span>
      ) : (
        label
      )}
    </label>
  );
}
