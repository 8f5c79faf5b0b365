import type { ComponentProps, ReactNode } from 'react';
import { classNames } from '../class-names.ts';
import { controlClassName } from './control-class-name.ts';
import { useFieldAttributes } from './field.tsx';

export interface InputProps extends ComponentProps<'input'> {
  suffix?: ReactNode;
}

/** A text input, which browsers neither complete nor correct. It needs a Field around it or an aria-label. */
export function Input({ suffix, className, ...rest }: InputProps) {
  const field = useFieldAttributes();
  const input = (
    <input
      {...field}
      autoComplete="off"
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      {...rest}
      className={classNames(controlClassName, 'h-11', suffix !== undefined && 'pr-14', className)}
    />
  );
  if (suffix === undefined) return input;
  return (
    <span className="relative block">
      {input}
      <span className="pointer-events-none absolute inset-y-0 right-3 flex items-center text-sm text-text-muted">
        {suffix}
      </span>
    </span>
  );
}
