import type { ComponentProps, MouseEvent } from 'react';
import { buttonClassName, type ButtonStyle } from './button-class-name.ts';
import { PendingLine } from '../charts/pending-line.tsx';

export interface ButtonProps extends ComponentProps<'button'>, Omit<ButtonStyle, 'className'> {
  /**
   * While true, the button stays focusable, is announced as busy and ignores clicks. If the prop is set at all
   * (true or false), the second click of a double click is also ignored.
   */
  isPending?: boolean | undefined;
  pendingText?: string | undefined;
}

export function Button({
  variant,
  size,
  isPending,
  pendingText,
  className,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  const handleClick = (event: MouseEvent<HTMLButtonElement>) => {
    // The second click of a double click can arrive before the pending state renders.
    const isSecondClick = isPending !== undefined && event.detail > 1;
    if (isPending === true || isSecondClick) event.preventDefault();
    else onClick?.(event);
  };
  return (
    <button
      type="button"
      {...rest}
      aria-busy={isPending || undefined}
      aria-disabled={isPending || undefined}
      className={buttonClassName({ variant, size, className })}
      onClick={handleClick}
    >
      {isPending === true && <PendingLine />}
      {isPending ? (pendingText ?? children) : children}
    </button>
  );
}
