import type { ReactNode } from 'react';
import { classNames } from '../class-names.ts';

export interface StatBandProps {
  label: string;
  className?: string | undefined;
  children: ReactNode;
}

export function StatBand({ label, className, children }: StatBandProps) {
  return (
    <section
      aria-label={label}
      className={classNames('grid gap-px overflow-clip rounded-md border border-line', className)}
    >
      {children}
    </section>
  );
}

export interface StatCardProps {
  label: ReactNode;
  value: ReactNode;
  note?: ReactNode;
}

export function StatCard({ label, value, note }: StatCardProps) {
  return (
    <div className="flex min-w-0 flex-col gap-1 bg-surface-raised px-3 py-3 shadow-[0_0_0_1px_var(--color-line)] sm:p-4">
      <span className="text-xs text-text-muted">{label}</span>
      <span className="figures text-base font-semibold sm:text-lg">{value}</span>
      {note !== undefined && <span className="text-xs text-text-muted tabular-nums">{note}</span>}
    </div>
  );
}
