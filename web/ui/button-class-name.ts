import { classNames } from './class-names.ts';

export type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'destructive';
export type ButtonSize = 'md' | 'sm' | 'icon';

const base =
  'relative inline-flex shrink-0 items-center justify-center gap-2 rounded-md border text-sm font-medium whitespace-nowrap select-none transition-colors disabled:cursor-not-allowed disabled:opacity-55 aria-disabled:cursor-progress aria-disabled:opacity-75';

const variants: Record<ButtonVariant, string> = {
  primary: 'border-transparent bg-accent text-on-accent hover:not-disabled:bg-accent-hover',
  secondary: 'border-line-strong bg-transparent text-text hover:not-disabled:bg-surface-hover',
  ghost: 'border-transparent bg-transparent text-text hover:not-disabled:bg-surface-hover',
  destructive: 'border-loss bg-transparent text-loss hover:not-disabled:bg-loss-soft',
};

/* A finger needs 44 px; a mouse on a wide screen is content with 36. */
const sizes: Record<ButtonSize, string> = {
  md: 'h-11 px-4',
  sm: 'h-11 px-3 md:h-9 pointer-coarse:h-11',
  icon: 'size-11',
};

/** How a button looks, for router links that look like one. */
export function buttonClassName({
  variant = 'secondary',
  size = 'md',
  className,
}: {
  variant?: ButtonVariant | undefined;
  size?: ButtonSize | undefined;
  className?: string | undefined;
} = {}): string {
  return classNames(base, variants[variant], sizes[size], className);
}
