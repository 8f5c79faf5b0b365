import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

export interface PaymentsHeaderProps {
  title: string;
  description: ReactNode;
  /** True if the user is or was a caller. Only they see the link between payments and earnings. */
  isCaller: boolean;
}

export function PaymentsHeader({ title, description, isCaller }: PaymentsHeaderProps) {
  return (
    <header className="mb-5 md:mb-7">
      <h1 className="text-xl font-semibold tracking-tight md:text-2xl">{title}</h1>
      <p className="mt-1 text-sm text-text-muted md:text-base">{description}</p>
      {isCaller && (
        <nav aria-label="Payments and earnings" className="mt-4 flex border-b border-line">
          <Tab to="/payments">Payments</Tab>
          <Tab to="/payments/earnings">Earnings</Tab>
        </nav>
      )}
    </header>
  );
}

function Tab({ to, children }: { to: '/payments' | '/payments/earnings'; children: string }) {
  return (
    <Link
      to={to}
      activeOptions={{ exact: true }}
      className="relative inline-flex min-h-11 items-center px-4 text-sm transition-colors first:pl-0 hover:text-text"
      activeProps={{
        className:
          'font-medium text-text after:absolute after:right-4 after:-bottom-px after:left-4 after:h-0.5 after:bg-accent-text first:after:left-0',
      }}
      inactiveProps={{ className: 'text-text-muted' }}
    >
      {children}
    </Link>
  );
}
