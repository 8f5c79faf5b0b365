import type { ComponentProps } from 'react';
import { controlClassName } from './control-class-name.ts';
import { useFieldAttributes } from './field.tsx';

/** A textarea. It needs a Field around it or an aria-label. */
export function Textarea(props: Omit<ComponentProps<'textarea'>, 'className'>) {
  return (
    <textarea
      {...useFieldAttributes()}
      rows={4}
      {...props}
      className={`${controlClassName} resize-y py-2.5`}
    />
  );
}
