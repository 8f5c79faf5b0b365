/** Puts the focus on the page's heading (without one, on its main part): from there reading and tabbing go on. */
export function focusHeading(): void {
  findHeading()?.focus({ preventScroll: true });
}

/** The page's heading, made focusable; without one its main part. */
export function findHeading(): HTMLElement | null {
  const heading = document.querySelector<HTMLElement>('main h1');
  heading?.setAttribute('tabindex', '-1');
  return heading ?? document.querySelector('main');
}
