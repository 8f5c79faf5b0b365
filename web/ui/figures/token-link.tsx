import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

/**
 * Links to the page of a token. Use it only for a call that is on that page
 * (`docs/ARCHITECTURE.md#token-pages`).
 */
export function TokenLink({ mint, children }: { mint: string; children: ReactNode }) {
  return (
    <Link
      to="/token/$mint"
      params={{ mint }}
      title="All calls on this token"
      className="inline-block min-w-6 py-1 link"
    >
      {children}
    </Link>
  );
}
