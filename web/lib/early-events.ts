interface EarlyEvent {
  readonly type: string;
  readonly target: EventTarget | null;
}

declare global {
  interface Window {
    /** Events before the app has started, kept by public/early.js. Null afterwards. */
    earlyEvents?: EarlyEvent[] | null;
  }
}

/** Repeats clicks on buttons from before React could handle them. Call it as soon as React listens to events. */
export function repeatEarlyClicks(): void {
  const events = window.earlyEvents ?? [];
  window.earlyEvents = events.filter(({ type }) => type !== 'click');
  for (const { type, target } of events) {
    if (type === 'click' && target instanceof Element) target.closest('button')?.click();
  }
}

/** Reports input from before hydration to React, which compares with the value it found. Call it after hydration. */
export function repeatEarlyInput(): void {
  const controls = new Set(window.earlyEvents?.map(({ target }) => target));
  window.earlyEvents = null;
  for (const control of controls) {
    if (control instanceof HTMLSelectElement) control.dispatchEvent(new Event('change', { bubbles: true }));
    else if (control instanceof HTMLInputElement) repeatInput(control);
  }
}

const CHECKED = new Set(['checkbox', 'radio']);

function repeatInput(input: HTMLInputElement): void {
  if (CHECKED.has(input.type)) {
    input.checked = !input.checked;
    input.click();
    return;
  }
  const { value } = input;
  // React remembers what is set on the element itself, but not what is set by its prototype.
  input.value = '';
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, value);
  input.dispatchEvent(new Event('input', { bubbles: true }));
}
