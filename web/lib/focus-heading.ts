/** Focuses the page's heading, or `<main>` without one, so that reading and tabbing continue there. */
export function focusHeading(): void {
  findHeading()?.focus({ preventScroll: true });
}

/** The page's heading, made focusable; `<main>` without one. */
export function findHeading(): HTMLElement | null {
  const heading = document.querySelector<HTMLElement>('main h1');
  heading?.setAttribute('tabindex', '-1');
  return heading ?? document.querySelector('main');
}
