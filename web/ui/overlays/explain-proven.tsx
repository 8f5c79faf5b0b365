import { PROVEN_HINT } from '#web/lib/calls/proven-text.ts';
import { classNames } from '../class-names.ts';
import { HowWeCount } from '../figures/how-we-count.tsx';
import { CircleHelp } from '../icons.tsx';

const ID = 'about-proven';

export interface ExplainProvenProps {
  /** True to show only the icon, if the term is already on screen. */
  isIconOnly?: boolean;
  className?: string;
}

/** A button that opens the page's `ProvenExplanation`. The browser opens it even before the scripts have loaded. */
export function ExplainProven({ isIconOnly = false, className }: ExplainProvenProps) {
  return (
    <button
      type="button"
      popoverTarget={ID}
      aria-label={isIconOnly ? 'What Proven means' : undefined}
      className={classNames(
        'explain',
        // 24 px is the smallest size that WCAG allows. The negative margin makes it take up only the icon's space.
        isIconOnly && '-m-1.25 size-6 justify-center',
        className,
      )}
    >
      {!isIconOnly && 'Proven'}
      <CircleHelp size={14} />
    </button>
  );
}

export function ProvenExplanation() {
  return (
    <div id={ID} popover="auto" role="note" aria-label="Proven" className="explanation">
      <p className="font-semibold text-text">Proven</p>
      <p>{PROVEN_HINT}</p>
      <p>
        <HowWeCount hash="proven" className="text-text" />
      </p>
    </div>
  );
}
