import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { Button } from '#web/ui/controls/button.tsx';
import { Field } from '#web/ui/controls/field.tsx';
import { Input } from '#web/ui/controls/input.tsx';
import { ActionDialog } from './action-dialog.tsx';

const linkClassName = 'link inline-flex min-h-11 items-center';

interface ConsoleFrameProps {
  onSearch: (search: string) => void;
  children: ReactNode;
}

/** The console's search and its pages that have no subject, above every page. */
export function ConsoleFrame({ onSearch, children }: ConsoleFrameProps) {
  const [typed, setTyped] = useState('');
  return (
    <div className="desk space-y-4 py-6">
      <div className="flex flex-wrap items-end gap-x-6 gap-y-2">
        <form
          role="search"
          className="flex min-w-64 flex-1 items-end gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            if (typed.trim() !== '') onSearch(typed.trim());
          }}
        >
          <Field label="Find a person, a payment or a call" className="flex-1">
            <Input type="search" value={typed} onChange={(event) => setTyped(event.target.value)} />
          </Field>
          <Button type="submit">Find</Button>
        </form>
        <nav aria-label="Console" className="flex gap-4 text-sm">
          <Link to="/operators" className={linkClassName}>
            Now
          </Link>
          <Link to="/operators/$kind/$id" params={{ kind: 'earned', id: 'all' }} className={linkClassName}>
            Earned
          </Link>
          <Link to="/operators/audit" className={linkClassName}>
            Audit
          </Link>
        </nav>
        <p className="w-full text-xs text-text-muted">
          Start of a handle or email, wallet, signature, reference, id, or the address of a page in an
          explorer. For a call: the caller’s handle and the token’s symbol.
        </p>
      </div>
      <ActionDialog>{children}</ActionDialog>
    </div>
  );
}
