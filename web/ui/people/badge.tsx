import type { ReactNode } from 'react';
import { classNames } from '../class-names.ts';

const tones = {
  neutral: 'border-line-strong text-text-muted',
  accent: 'border-accent-text text-accent-text',
  gain: 'border-transparent bg-gain-soft text-gain',
  loss: 'border-transparent bg-loss-soft text-loss',
  warn: 'border-transparent bg-warn-soft text-warn',
} as const;

const sizes = { sm: 'h-5 px-1.5', md: 'h-6 px-2' } as const;

export interface BadgeProps {
  tone?: keyof typeof tones | undefined;
  size?: keyof typeof sizes | undefined;
  title?: string | undefined;
  children: ReactNode;
}

export function Badge({ tone = 'neutral', size = 'md', title, children }: BadgeProps) {
  return (
    <span
      title={title}
      className={classNames(
        'inline-flex items-center gap-1 rounded-sm border text-xs font-medium whitespace-nowrap',
        tones[tone],
        sizes[size],
      )}
    >
      {children}
    </span>
  );
}
