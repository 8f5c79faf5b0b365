import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

/** A shape where something is about to stand. Give it the size of what will come. */
export function Skeleton({
  isRound = false,
  className,
}: {
  isRound?: boolean | undefined;
  className?: string | undefined;
}) {
  return (
    <span
      aria-hidden="true"
      className={classNames(
        'block max-w-full shrink-0 animate-pulse bg-line',
        isRound ? 'rounded-full' : 'rounded-sm',
        className,
      )}
    />
  );
}

/** Wraps skeletons and says once, to screen readers, what is loading. */
export function SkeletonGroup({
  label,
  className,
  children,
}: {
  label: string;
  className?: string | undefined;
  children: ReactNode;
}) {
  return (
    <div role="status" aria-busy="true" className={className}>
      <span className="sr-only">{label}</span>
      {children}
    </div>
  );
}
