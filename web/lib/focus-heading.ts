/** Focuses the page's heading, or `<main>` if there is none, so that reading and tabbing continue there. */
export function focusHeading(): void {
  findHeading()?.focus({ preventScroll: true });
}

/** Returns the page's heading after making it focusable. Returns `<main>` if there is none. */
export function findHeading(): HTMLElement | null {
  const heading = document.querySelector<HTMLElement>('main h1');
  heading?.setAttribute('tabindex', '-1');
  return heading ?? document.querySelector('main');
}
