import type { ReactNode } from 'react';

export interface StatCardProps {
  label: string;
  value: ReactNode;
  /** What the value rests on: 'of 48 ended calls'. */
  note?: ReactNode;
}

/** One figure with its name and its sample. */
export function StatCard({ label, value, note }: StatCardProps) {
  return (
    <div className="flex flex-col gap-1 rounded-md border border-line bg-surface-raised p-4">
      <span className="text-xs text-text-muted">{label}</span>
      <span className="figures text-lg font-semibold">{value}</span>
      {note !== undefined && <span className="text-xs text-text-muted tabular-nums">{note}</span>}
    </div>
  );
}
