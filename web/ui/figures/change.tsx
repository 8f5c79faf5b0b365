import { formatChange } from '#schema/rules/text/format.ts';
import { classNames } from '../class-names.ts';

export interface ChangeProps {
  percent: number | null | undefined;
  zeroIs?: 'gain' | 'loss' | 'neither' | undefined;
  className?: string | undefined;
}

const colours = { gain: 'text-gain', loss: 'text-loss', neither: 'text-text' } as const;

/** A gain or loss with colour, arrow and sign. A change that rounds to 0.0% has neither arrow nor sign. */
export function Change({ percent, zeroIs = 'neither', className }: ChangeProps) {
  if (percent === null || percent === undefined || !Number.isFinite(percent)) {
    return <span className={classNames('text-text-muted', className)}>–</span>;
  }
  const direction = directionOf(percent, zeroIs);
  const hasArrow = Number(percent.toFixed(1)) !== 0;
  return (
    <span
      className={classNames(
        'figures',
        colours[direction],
        // CSS draws the arrow, because a list has hundreds of arrows.
        hasArrow && (direction === 'gain' ? 'arrow-up' : 'arrow-down'),
        className,
      )}
    >
      <span>{formatChange(percent)}</span>
    </span>
  );
}

function directionOf(percent: number, zeroIs: keyof typeof colours): keyof typeof colours {
  if (percent === 0) return zeroIs;
  return percent > 0 ? 'gain' : 'loss';
}
