export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

interface PlaceInput {
  readonly width: number;
  readonly height: number;
  readonly window: { readonly width: number; readonly height: number };
  readonly controls: readonly Box[];
  /** A text is covered only if every other place covers more controls. */
  readonly texts?: readonly Box[];
}

export type Place = Pick<Box, 'left' | 'top'>;

/** In px. The same as Tailwind's `sm`. */
const TABLET_WIDTH = 640;
const STEP = 8;
/** Covering a control is as bad as covering this many texts. No dialog has so many. */
const TEXTS_PER_CONTROL = 100;

/**
 * Finds the place where a toast covers the fewest controls. If several places cover equally few, chooses the
 * one that covers the fewest texts. Prefers the top on phones, because their dialogs have the buttons at the
 * bottom. Elsewhere, prefers the bottom right corner.
 */
export function findFreePlace({ width, height, window, controls, texts = [] }: PlaceInput): Place {
  const isPhone = window.width < TABLET_WIDTH;
  const margin = isPhone ? 16 : 24;
  const [first, last] = [margin, Math.max(margin, window.height - height - margin)];
  const right = Math.max(margin, window.width - width - margin);
  const lefts = isPhone ? [margin] : [right, margin, Math.round((margin + right) / 2)];
  const steps = Math.floor((last - first) / STEP);
  let best: Place & { covered: number } = { left: right, top: first, covered: Number.POSITIVE_INFINITY };
  for (let step = 0; step <= steps && best.covered > 0; step++) {
    const top = isPhone ? first + step * STEP : last - step * STEP;
    for (const left of lefts) {
      const box = { left, top, right: left + width, bottom: top + height };
      const countIn = (boxes: readonly Box[]) => boxes.filter((each) => overlap(each, box)).length;
      const covered = countIn(controls) * TEXTS_PER_CONTROL + countIn(texts);
      if (covered < best.covered) best = { left, top, covered };
    }
  }
  return { left: best.left, top: best.top };
}

function overlap(one: Box, other: Box): boolean {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}

const CONTROLS = 'button, a[href], input, select, textarea, summary';

/** The parts of a dialog that tell the result of an action. */
const TEXTS = 'h3, dl, [role=alert]';

/** Returns the boxes of the controls on screen. While a dialog is open, only its own controls can be used. */
export function visibleControls(): Box[] {
  return boxesIn(findOpenDialog() ?? document.body, CONTROLS);
}

/** Returns the boxes of the open dialog's main texts. Without a dialog, a toast may cover any text. */
export function visibleTexts(): Box[] {
  const dialog = findOpenDialog();
  return dialog === undefined ? [] : boxesIn(dialog, TEXTS);
}

function findOpenDialog(): Element | undefined {
  const isModal = document.querySelector('[data-scrim]:not([data-closed])') !== null;
  return isModal ? [...document.querySelectorAll('[role=dialog]:not([data-closed])')].at(-1) : undefined;
}

function boxesIn(scope: Element, selector: string): Box[] {
  return [...scope.querySelectorAll(selector)]
    .filter((element) => element.closest('[data-toasts]') === null)
    .map((element) => element.getBoundingClientRect())
    .filter(({ width, top, bottom }) => width > 0 && bottom > 0 && top < window.innerHeight);
}
