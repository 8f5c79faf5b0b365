import type { ComponentProps } from 'react';
import { classNames } from '../class-names.ts';
import { controlClassName } from './control-class-name.ts';
import { useFieldAttributes } from './field.tsx';

/** A textarea. It needs a Field around it or an aria-label. */
export function Textarea({ className, rows = 4, ...rest }: ComponentProps<'textarea'>) {
  const field = useFieldAttributes();
  return (
    <textarea
      {...field}
      rows={rows}
      {...rest}
      className={classNames(controlClassName, 'resize-y py-2.5', className)}
    />
  );
}
