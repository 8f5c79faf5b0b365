import { formatChange } from '#schema/rules/format.ts';
import { classNames } from './class-names.ts';

export interface ChangeProps {
  /** In percent; without one a dash stands. */
  percent: number | null | undefined;
  /** What exactly zero counts as, by the rule of its place; by itself it is neither. */
  zeroIs?: 'gain' | 'loss' | 'neither' | undefined;
  className?: string | undefined;
}

const colours = { gain: 'text-gain', loss: 'text-loss', neither: 'text-text' } as const;

/** A gain or a loss by colour, arrow and sign. What reads 0.0% has its colour, but neither arrow nor sign. */
export function Change({ percent, zeroIs = 'neither', className }: ChangeProps) {
  if (percent === null || percent === undefined || !Number.isFinite(percent)) {
    return <span className={classNames('text-text-muted', className)}>–</span>;
  }
  const direction = percent === 0 ? zeroIs : percent > 0 ? 'gain' : 'loss';
  const hasArrow = Number(percent.toFixed(1)) !== 0;
  return (
    <span className={classNames('figures', colours[direction], className)}>
      {hasArrow && (
        <svg
          aria-hidden="true"
          width="8"
          height="8"
          viewBox="0 0 8 8"
          fill="currentColor"
          className="mr-1 inline-block align-baseline"
        >
          <path d={direction === 'gain' ? 'M4 1 8 7H0Z' : 'M4 7 0 1h8Z'} />
        </svg>
      )}
      <span>{formatChange(percent)}</span>
    </span>
  );
}
