import { useEffect, useRef, type ReactNode, type RefObject } from 'react';

/** What a step of the dialog is about. The focus comes here when the step begins. */
export function StepTitle({ children }: { children: ReactNode }) {
  return (
    <h3 tabIndex={-1} data-step-title="" className="text-sm font-semibold">
      {children}
    </h3>
  );
}

/**
 * Moves the focus to the title of each new step: what was pressed is gone with the step before. The first
 * step leaves it to the dialog.
 */
export function useStepFocus(step: string): RefObject<HTMLDivElement | null> {
  const frame = useRef<HTMLDivElement>(null);
  const shown = useRef(step);
  useEffect(() => {
    if (shown.current === step) return;
    shown.current = step;
    frame.current?.querySelector<HTMLElement>('[data-step-title]')?.focus();
  }, [step]);
  return frame;
}
