import type { ReactNode } from 'react';

export interface EmptyStateProps {
  title: string;
  description?: ReactNode;
  action?: ReactNode;
  isError?: boolean;
}

export function EmptyState({ title, description, action, isError = false }: EmptyStateProps) {
  return (
    <div
      role={isError ? 'alert' : undefined}
      className="flex flex-col items-center gap-2 px-4 py-10 text-center"
    >
      {isError ? BROKEN_LINE : DOTTED_LINE}
      <p className="text-base font-medium">{title}</p>
      {description !== undefined && <p className="max-w-prose text-sm text-text-muted">{description}</p>}
      {action !== undefined && <div className="mt-3">{action}</div>}
    </div>
  );
}

const DOTTED_LINE = (
  <svg aria-hidden="true" width="120" height="24" viewBox="0 0 120 24" className="mb-2 text-line-strong">
    <line x1="10" y1="17" x2="118" y2="9" stroke="currentColor" strokeWidth="1.5" strokeDasharray="2 5" />
    <circle cx="6" cy="17" r="4" fill="none" stroke="currentColor" strokeWidth="1.5" />
  </svg>
);

const BROKEN_LINE = (
  <svg aria-hidden="true" width="120" height="24" viewBox="0 0 120 24" className="mb-2 text-loss">
    <path d="M10 17 L52 14 M68 12 L110 9" fill="none" stroke="currentColor" strokeWidth="1.5" />
    <path d="M57 9 L63 17 M63 9 L57 17" stroke="currentColor" strokeWidth="1.5" />
    <circle cx="6" cy="17" r="4" fill="none" stroke="currentColor" strokeWidth="1.5" />
    <circle cx="114" cy="9" r="4" fill="currentColor" />
  </svg>
);
