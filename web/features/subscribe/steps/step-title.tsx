import { useLayoutEffect, useRef, type ReactNode, type RefObject } from 'react';

export function StepTitle({ children }: { children: ReactNode }) {
  return (
    <h3 tabIndex={-1} data-step-title="" className="text-sm font-semibold">
      {children}
    </h3>
  );
}

/** Moves the focus to each new step's title, but not to the first one, which the dialog focuses. */
export function useStepFocus(step: string): RefObject<HTMLDivElement | null> {
  const frame = useRef<HTMLDivElement>(null);
  const shown = useRef(step);
  // A layout effect runs before the dialog notices the lost focus and takes it.
  useLayoutEffect(() => {
    if (shown.current === step) return;
    shown.current = step;
    frame.current?.querySelector<HTMLElement>('[data-step-title]')?.focus();
  }, [step]);
  return frame;
}
