import type { ReactNode } from 'react';

/** A problem, announced to screen readers at once. */
export function ProblemNote({ children }: { children: ReactNode }) {
  return (
    <p role="alert" className="rounded-md border border-loss p-3 text-sm">
      {children}
    </p>
  );
}
