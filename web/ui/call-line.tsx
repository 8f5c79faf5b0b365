import { callHeight } from '#web/lib/call-height.ts';
import { classNames } from './class-names.ts';

export interface CallLineProps {
  /** How far the call went, in percent; without it there is no line. */
  percent: number | null | undefined;
  /** The call has not ended: its line is dashed and its end open. */
  isOpen?: boolean | undefined;
  className?: string | undefined;
}

const MIDDLE = 12;
const RISE = 8;
/* A doubling fills the height; beyond, the figure beside it tells more than a line of this size could. */
const FULL_PERCENT = 100;

/** One call as the house draws it: from its open entry up or down to its end. The figure stands beside it, so it is silent. */
export function CallLine({ percent, isOpen = false, className }: CallLineProps) {
  if (percent === null || percent === undefined || !Number.isFinite(percent)) return null;
  // Half of the height lies before the entry, so that even a small change uses the room there is.
  const rise = callHeight(percent, FULL_PERCENT) * RISE;
  const startY = MIDDLE + rise;
  const endY = MIDDLE - rise;
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 56 24"
      className={classNames('h-6 w-14 shrink-0', percent >= 0 ? 'text-gain' : 'text-loss', className)}
    >
      <line
        x1="8.5"
        y1={startY - rise * 0.1}
        x2="49"
        y2={endY}
        stroke="currentColor"
        strokeWidth="1.5"
        strokeDasharray={isOpen ? '3 3' : undefined}
      />
      <circle cx="6" cy={startY} r="3" fill="none" stroke="currentColor" strokeWidth="1.5" />
      <circle
        cx="50"
        cy={endY}
        r="3"
        fill={isOpen ? 'none' : 'currentColor'}
        stroke="currentColor"
        strokeWidth="1.5"
        className={isOpen ? 'fill-surface-raised' : undefined}
      />
    </svg>
  );
}
