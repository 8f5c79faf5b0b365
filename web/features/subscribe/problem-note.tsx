import type { ReactNode } from 'react';

/** Why it does not go on, said at once. */
export function ProblemNote({ children }: { children: ReactNode }) {
  return (
    <p role="alert" className="rounded-md border border-loss p-3 text-sm">
      {children}
    </p>
  );
}
