import { nextTask } from './next-task.ts';

interface EarlyEvent {
  readonly type: string;
  readonly target: EventTarget | null;
  /** The control's value and state at the time of the event. React may reset them while it takes over. */
  readonly value: string;
  readonly checked: boolean;
  /** True if React has handled the event. */
  readonly isHandled?: boolean;
}

declare global {
  interface Window {
    /** Events before the app has started, kept by public/early.js. Null afterwards. */
    earlyEvents?: EarlyEvent[] | null;
  }
}

/** Repeats clicks on buttons that React hasn't handled. Those that it still can't handle are kept again. */
export function repeatEarlyClicks(): void {
  const events = window.earlyEvents ?? [];
  window.earlyEvents = events.filter((event) => buttonOf(event) === null);
  for (const event of events) if (!event.isHandled) buttonOf(event)?.click();
}

const buttonOf = ({ type, target }: EarlyEvent) =>
  type === 'click' && target instanceof Element ? target.closest('button') : null;

/**
 * Repeats what React hasn't handled: clicks on buttons, and each control's last input. Call it when all of the page is
 * hydrated. Waits for the next task, because an event that arrives during hydration makes React finish it before handling
 * the event.
 */
export async function repeatEarlyEvents(): Promise<void> {
  await nextTask();
  repeatEarlyClicks();
  const inputs = new Map(window.earlyEvents?.filter(isInput).map((event) => [event.target, event]));
  window.earlyEvents = null;
  for (const [control, event] of inputs) {
    if (control instanceof HTMLInputElement) repeatInput(control, event);
    else if (control instanceof HTMLSelectElement) {
      control.value = event.value;
      control.dispatchEvent(new Event('change', { bubbles: true }));
    }
  }
}

const isCheckable = (target: EventTarget | null) =>
  target instanceof HTMLInputElement && (target.type === 'checkbox' || target.type === 'radio');

/** A checkbox is clicked before its input event, so React may have reset it by then. */
const isInput = ({ type, target }: EarlyEvent) => type === (isCheckable(target) ? 'click' : 'input');

function repeatInput(input: HTMLInputElement, { value, checked }: EarlyEvent): void {
  if (isCheckable(input)) {
    input.checked = !checked;
    input.click();
    return;
  }
  // React remembers what is set on the element itself, but not what is set by its prototype.
  input.value = '';
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, value);
  input.dispatchEvent(new Event('input', { bubbles: true }));
}
