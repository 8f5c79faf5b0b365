import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { currentUserQuery } from '#web/api/session.queries.ts';

export function useMustAcceptTerms(): boolean {
  return useQuery(currentUserQuery).data?.mustAcceptTerms === true;
}

export interface AcceptTermsProps {
  checked: boolean;
  onCheckedChange: (isChecked: boolean) => void;
}

/** A checkbox with links to the documents. They open in a new tab, so that the dialog stays as it is. */
export function AcceptTerms({ checked, onCheckedChange }: AcceptTermsProps) {
  return (
    <label className="flex items-start gap-2.5 py-2 text-sm">
      <input
        type="checkbox"
        required
        checked={checked}
        onChange={(event) => onCheckedChange(event.target.checked)}
        className="mt-0.5 size-5 shrink-0 accent-accent"
      />
      <span>
        I have read and accept the <DocumentLink href="/terms">terms</DocumentLink>, the{' '}
        <DocumentLink href="/privacy">privacy notice</DocumentLink> and the{' '}
        <DocumentLink href="/risk">risks</DocumentLink>.
      </span>
    </label>
  );
}

function DocumentLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a href={href} target="_blank" rel="noopener" className="link">
      {children}
      <span className="sr-only"> (opens in a new tab)</span>
    </a>
  );
}
