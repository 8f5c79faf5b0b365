/**
 * Focuses the page's heading, so that reading and tabbing continue there. Without a heading, focuses
 * `<main>`.
 */
export function focusHeading(): void {
  findHeading()?.focus({ preventScroll: true });
}

/** Returns the page's heading after making it focusable. Without a heading, returns `<main>`. */
export function findHeading(): HTMLElement | null {
  const heading = document.querySelector<HTMLElement>('main h1');
  heading?.setAttribute('tabindex', '-1');
  return heading ?? document.querySelector('main');
}
