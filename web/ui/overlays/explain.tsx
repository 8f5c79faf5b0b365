import { useRef, useState, type ReactNode } from 'react';
import { PROVEN_HINT } from '#web/lib/calls/proven-text.ts';
import { CircleHelp } from '../icons.tsx';
import { classNames } from '../class-names.ts';
import type { ExplainPopup } from './explain-popup.tsx';
import { HowWeCount } from '../figures/how-we-count.tsx';

export interface ExplainProps {
  /** The term, such as 'Proven'. */
  term: string;
  /** True to show only the icon, if the term is already on screen. */
  isIconOnly?: boolean | undefined;
  className?: string | undefined;
  children: ReactNode;
}

/** Loaded on demand, because a list has an explanation in each row. */
const loadPopup = async () => (await import('./explain-popup.tsx')).ExplainPopup;

/** A term with an explanation that a click, a touch or a key opens. */
export function Explain({ term, isIconOnly = false, className, children }: ExplainProps) {
  const ref = useRef<HTMLButtonElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const [Popup, setPopup] = useState<typeof ExplainPopup | null>(null);
  const toggle = async () => {
    if (Popup === null) {
      const loaded = await loadPopup().catch(() => null);
      setPopup(() => loaded);
    }
    setIsOpen(!isOpen);
  };
  return (
    <>
      <button
        ref={ref}
        type="button"
        aria-label={isIconOnly ? `What ${term} means` : undefined}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onPointerEnter={() => void loadPopup().catch(() => null)}
        onClick={() => void toggle()}
        className={classNames(
          'explain',
          // 24 px is the smallest size that WCAG allows. The negative margin makes it take up only the icon's
          // space.
          isIconOnly && '-m-1.25 size-6 justify-center',
          className,
        )}
      >
        {!isIconOnly && term}
        <CircleHelp aria-hidden="true" size={14} />
      </button>
      {Popup && (
        <Popup term={term} anchor={ref} open={isOpen} onOpenChange={setIsOpen}>
          {children}
        </Popup>
      )}
    </>
  );
}

export function ExplainProven(props: Pick<ExplainProps, 'isIconOnly' | 'className'>) {
  return (
    <Explain term="Proven" {...props}>
      <p>{PROVEN_HINT}</p>
      <p>
        <HowWeCount hash="proven" className="text-text" />
      </p>
    </Explain>
  );
}
