import type { ComponentProps } from 'react';
import { buttonClassName, type ButtonSize, type ButtonVariant } from './button-class-name.ts';

export interface LinkButtonProps extends ComponentProps<'a'> {
  variant?: ButtonVariant | undefined;
  size?: ButtonSize | undefined;
  /** Opens in a new tab, without handing the page over to it. */
  isExternal?: boolean | undefined;
}

/** A plain link (a full page load or another site) that looks like a button. */
export function LinkButton({
  variant,
  size,
  isExternal = false,
  className,
  children,
  ...rest
}: LinkButtonProps) {
  return (
    <a
      {...rest}
      {...(isExternal ? { target: '_blank', rel: 'noopener noreferrer' } : {})}
      className={buttonClassName({ variant, size, className })}
    >
      {children}
    </a>
  );
}
