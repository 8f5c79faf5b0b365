import type { ReactNode } from 'react';

/** A problem. Screen readers announce it at once. */
export function ProblemNote({ children }: { children: ReactNode }) {
  return (
    <p role="alert" className="rounded-md border border-loss p-3 text-sm">
      {children}
    </p>
  );
}
