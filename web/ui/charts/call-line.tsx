import { callHeight } from '#web/lib/calls/call-height.ts';
import { classNames } from '../class-names.ts';

export interface CallLineProps {
  percent: number | null | undefined;
  isOpen?: boolean | undefined;
  className?: string | undefined;
}

const MIDDLE = 12;
const RISE = 8;
/** A change of this many percent fills the height. */
const FULL_PERCENT = 100;

/** Draws a call as a line from entry to end. Hidden from screen readers, because the figure is beside it. */
export function CallLine({ percent, isOpen = false, className }: CallLineProps) {
  if (percent === null || percent === undefined || !Number.isFinite(percent)) return null;
  // Move start and end apart symmetrically, so that even a small change is visible.
  const rise = callHeight(percent, FULL_PERCENT) * RISE;
  const startY = MIDDLE + rise;
  const endY = MIDDLE - rise;
  const isGain = isOpen ? percent >= 0 : percent > 0;
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 56 24"
      className={classNames('drawing h-6 w-14', isGain ? 'text-gain' : 'text-loss', className)}
    >
      <line
        x1="8.5"
        y1={startY - rise * 0.1}
        x2="49"
        y2={endY}
        strokeDasharray={isOpen ? '3 3' : undefined}
      />
      <circle cx="6" cy={startY} r="3" />
      <circle cx="50" cy={endY} r="3" className={isOpen ? 'fill-surface-raised' : 'fill-current'} />
    </svg>
  );
}
