import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

const tones = {
  neutral: 'border-line-strong text-text-muted',
  accent: 'border-accent-text text-accent-text',
  gain: 'border-transparent bg-gain-soft text-gain',
  loss: 'border-transparent bg-loss-soft text-loss',
  warn: 'border-transparent bg-warn-soft text-warn',
} as const;

export interface BadgeProps {
  tone?: keyof typeof tones | undefined;
  className?: string | undefined;
  children: ReactNode;
}

/** A short state in words: 'Subscribed', 'Pending', 'Connected'. */
export function Badge({ tone = 'neutral', className, children }: BadgeProps) {
  return (
    <span
      className={classNames(
        'inline-flex h-6 items-center gap-1 rounded-sm border px-2 text-xs font-medium whitespace-nowrap',
        tones[tone],
        className,
      )}
    >
      {children}
    </span>
  );
}
