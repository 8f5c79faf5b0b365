import { classNames } from '../class-names.ts';

export type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'destructive';
export type ButtonSize = 'md' | 'sm' | 'icon';

const variants: Record<ButtonVariant, string> = {
  primary: 'border-transparent bg-accent text-on-accent hover:not-disabled:bg-accent-hover',
  secondary: 'button-secondary',
  ghost: 'border-transparent bg-transparent text-text hover:not-disabled:bg-surface-hover',
  destructive: 'border-loss bg-transparent text-loss hover:not-disabled:bg-loss-soft',
};

const sizes: Record<ButtonSize, string> = {
  md: 'h-11 px-4',
  sm: 'button-sm',
  icon: 'size-11',
};

export interface ButtonStyle {
  variant?: ButtonVariant | undefined;
  size?: ButtonSize | undefined;
  className?: string | undefined;
}

export function buttonClassName({ variant = 'secondary', size = 'md', className }: ButtonStyle = {}): string {
  return classNames('button', variants[variant], sizes[size], className);
}
