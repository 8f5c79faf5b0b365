import type { ToastMessage } from './toast-message.ts';

let waiting: ToastMessage[] = [];
let show: ((message: ToastMessage) => void) | null = null;
let requestView: (() => void) | null = null;

/** Shows one toast at a time, for `TOAST_MS` (or until it's dismissed, if the code of toasts doesn't load). */
export function toast(message: ToastMessage): void {
  if (show) return show(message);
  waiting.push(message);
  requestView?.();
}

/** Calls `listener` while toasts wait and nothing shows them. Returns a function that removes it and the toasts. */
export function onWaitingToasts(listener: () => void): () => void {
  requestView = listener;
  if (waiting.length > 0) listener();
  return () => {
    requestView = null;
    waiting = [];
  };
}

/** Calls `listener` for waiting and later toasts. Returns a function that removes the listener. */
export function showToasts(listener: (message: ToastMessage) => void): () => void {
  show = listener;
  waiting.splice(0).forEach(listener);
  return () => {
    show = null;
  };
}
