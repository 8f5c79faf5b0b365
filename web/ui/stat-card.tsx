import type { ReactNode } from 'react';

export interface StatCardProps {
  label: string;
  value: ReactNode;
  /** What the value rests on: 'of 48 ended calls'. */
  note?: ReactNode;
}

/** One figure with its name and its sample; a cell of a band of figures. */
export function StatCard({ label, value, note }: StatCardProps) {
  return (
    <div className="flex min-w-0 flex-col gap-1 bg-surface-raised shadow-[0_0_0_1px_var(--line)] px-3 py-3 sm:p-4">
      <span className="text-xs text-text-muted">{label}</span>
      <span className="figures text-lg font-semibold">{value}</span>
      {note !== undefined && <span className="figures text-xs text-text-muted">{note}</span>}
    </div>
  );
}
