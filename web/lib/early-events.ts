import { nextTask } from './next-task.ts';

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

/**
 * Reports input from before hydration to React, which compares with the value it found. Call it after hydration. Waits
 * for the next task, because an event that arrives during hydration makes React finish it before handling the event.
 */
export async function repeatEarlyInput(): Promise<void> {
  await nextTask();
  const controls = new Set(window.earlyEvents?.map(({ target }) => target));
  window.earlyEvents = null;
  for (const control of controls) {
    if (control instanceof HTMLSelectElement) repeatChoice(control);
    else if (control instanceof HTMLInputElement) repeatInput(control);
  }
}

/**
 * Leaves out a choice that React has handled: the control shows the server's choice again until the page changes, and
 * repeating that would undo the user's.
 */
function repeatChoice(select: HTMLSelectElement): void {
  if (select.selectedOptions[0]?.hasAttribute('selected')) return;
  select.dispatchEvent(new Event('change', { bubbles: true }));
}

const CHECKED = new Set(['checkbox', 'radio']);

function repeatInput(input: HTMLInputElement): void {
  if (CHECKED.has(input.type)) {
    if (input.checked === input.hasAttribute('checked')) return;
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
