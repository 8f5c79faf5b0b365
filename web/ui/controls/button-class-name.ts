import { classNames } from '../class-names.ts';

export type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'destructive';
export type ButtonSize = 'md' | 'sm' | 'icon';

const base = classNames(
  'relative inline-flex shrink-0 items-center justify-center gap-2 rounded-md border',
  'text-sm font-medium whitespace-nowrap select-none transition-colors',
  'disabled:cursor-not-allowed disabled:opacity-55 aria-disabled:cursor-progress aria-disabled:opacity-75',
);

const variants: Record<ButtonVariant, string> = {
  primary: 'border-transparent bg-accent text-on-accent hover:not-disabled:bg-accent-hover',
  secondary: 'border-line-strong bg-transparent text-text hover:not-disabled:bg-surface-hover',
  ghost: 'border-transparent bg-transparent text-text hover:not-disabled:bg-surface-hover',
  destructive: 'border-loss bg-transparent text-loss hover:not-disabled:bg-loss-soft',
};

/** Touch targets are 44 px. Small buttons shrink to 36 px for a mouse on a wide screen. */
const sizes: Record<ButtonSize, string> = {
  md: 'h-11 px-4',
  sm: 'h-11 px-3 md:h-9 pointer-coarse:h-11',
  icon: 'size-11',
};

export interface ButtonStyle {
  variant?: ButtonVariant | undefined;
  size?: ButtonSize | undefined;
  className?: string | undefined;
}

export function buttonClassName({ variant = 'secondary', size = 'md', className }: ButtonStyle = {}): string {
  return classNames(base, variants[variant], sizes[size], className);
}
