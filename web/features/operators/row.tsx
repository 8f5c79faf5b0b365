import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatMinute } from '#web/lib/text/dates.ts';
import { buttonClassName } from '#web/ui/controls/button-class-name.ts';

interface RowProps {
  title: ReactNode;
  at?: string;
  children?: ReactNode;
}

/** An item of a list, with its time if it has one. */
export function Row({ title, at, children }: RowProps) {
  return (
    <li className="space-y-2 py-3 text-sm wrap-anywhere">
      <p className="flex flex-wrap justify-between gap-x-3">
        <span className="min-w-0 font-medium">{title}</span>
        {at !== undefined && (
          <time dateTime={at} className="text-xs text-text-muted">
            {formatMinute(at)}
          </time>
        )}
      </p>
      {children}
    </li>
  );
}

/** Shows the history of a payment, by its signature or its intent's id. */
export function HistoryLink({ payment }: { payment: string }) {
  return (
    <Link
      to="/operators"
      search={(shown) => ({ ...shown, payment })}
      className={buttonClassName({ variant: 'ghost', size: 'sm' })}
      aria-label={`History of ${payment}`}
    >
      History
    </Link>
  );
}
