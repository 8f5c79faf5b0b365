import type { ComponentProps } from 'react';
import { buttonClassName, type ButtonStyle } from './button-class-name.ts';

export interface LinkButtonProps extends ComponentProps<'a'>, Omit<ButtonStyle, 'className'> {
  /** True to open the link in a new tab without access to this page. */
  isExternal?: boolean | undefined;
}

/** A link that looks like a button, for full page loads and other sites. */
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
