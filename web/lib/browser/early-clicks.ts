declare global {
  interface Window {
    /** Targets of clicks from before React listens to them (public/early.js). Null afterwards. */
    earlyClicks?: EventTarget[] | null;
  }
}

/** Repeats early clicks on buttons. Links, form controls and popovers already work without React. */
export function repeatEarlyClicks(): void {
  const targets = window.earlyClicks ?? [];
  window.earlyClicks = null;
  for (const target of targets) {
    if (target instanceof Element) target.closest<HTMLElement>('button:not([popovertarget])')?.click();
  }
}
