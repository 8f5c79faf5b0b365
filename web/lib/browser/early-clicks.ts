declare global {
  interface Window {
    /** Targets of the clicks before React listens to clicks (public/early.js). Null afterwards. */
    earlyClicks?: EventTarget[] | null;
  }
}

/** Repeats clicks on buttons. Links and controls have handled theirs without React. */
export function repeatEarlyClicks(): void {
  const targets = window.earlyClicks ?? [];
  window.earlyClicks = null;
  for (const target of targets) if (target instanceof Element) target.closest('button')?.click();
}
