import { formatChange } from '#schema/rules/text/format.ts';
import { classNames } from '../class-names.ts';

export interface ChangeProps {
  percent: number | null | undefined;
  zeroIs?: 'gain' | 'loss' | 'neither' | undefined;
  className?: string | undefined;
  /** The element, for lists where each further one counts. */
  as?: 'span' | 'dd';
}

const colours = { gain: 'text-gain', loss: 'text-loss', neither: 'text-text' } as const;

/** A gain or loss with colour, arrow and sign. A change that rounds to 0.0% has neither arrow nor sign. */
export function Change({ percent, zeroIs = 'neither', className, as: Element = 'span' }: ChangeProps) {
  if (percent === null || percent === undefined || !Number.isFinite(percent)) {
    return <Element className={classNames('text-text-muted', className)}>–</Element>;
  }
  const direction = directionOf(percent, zeroIs);
  const hasArrow = Number(percent.toFixed(1)) !== 0;
  return (
    <Element
      className={classNames(
        'figures',
        colours[direction],
        // CSS draws the arrow, because a list has hundreds of arrows.
        hasArrow && (direction === 'gain' ? 'arrow-up' : 'arrow-down'),
        className,
      )}
    >
      {formatChange(percent)}
    </Element>
  );
}

function directionOf(percent: number, zeroIs: keyof typeof colours): keyof typeof colours {
  if (percent === 0) return zeroIs;
  return percent > 0 ? 'gain' : 'loss';
}
