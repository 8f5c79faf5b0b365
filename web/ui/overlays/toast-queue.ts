import type { ToastMessage } from './toast-message.ts';

export type ToastQueue = ReturnType<typeof createToastQueue>;

/** Keeps toasts until something shows them. */
export function createToastQueue() {
  const waiting: ToastMessage[] = [];
  let show: ((message: ToastMessage) => void) | null = null;
  return {
    add(message: ToastMessage): void {
      if (show) show(message);
      else waiting.push(message);
    },

    /** Calls `listener` for waiting and later toasts. Returns a function that stops it. */
    connect(listener: (message: ToastMessage) => void): () => void {
      show = listener;
      for (const message of waiting.splice(0)) listener(message);
      return () => {
        show = null;
      };
    },
  };
}
