import type { ReactNode } from 'react';
import { classNames } from '../class-names.ts';

export function Skeleton({ className }: { className?: string | undefined }) {
  return (
    <span
      aria-hidden="true"
      className={classNames('block max-w-full shrink-0 animate-pulse rounded-sm bg-line', className)}
    />
  );
}

export interface SkeletonGroupProps {
  label: string;
  className?: string | undefined;
  children: ReactNode;
}

/** Wraps skeletons and tells screen readers once that something is loading. */
export function SkeletonGroup({ label, className, children }: SkeletonGroupProps) {
  return (
    <div role="status" aria-busy="true" className={className}>
      <span className="sr-only">{label}</span>
      {children}
    </div>
  );
}

interface SkeletonBarsProps extends Omit<SkeletonGroupProps, 'children'> {
  bars: readonly string[];
}

export function SkeletonBars({ bars, ...group }: SkeletonBarsProps) {
  return (
    <SkeletonGroup {...group}>
      {bars.map((bar, index) => (
        <Skeleton key={index} className={bar} />
      ))}
    </SkeletonGroup>
  );
}
