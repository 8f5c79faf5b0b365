import type { ToastMessage } from './toast-message.ts';

export type ToastQueue = ReturnType<typeof createToastQueue>;

/** A queue that holds toasts until a listener shows them. */
export function createToastQueue() {
  const waiting: ToastMessage[] = [];
  let show: ((message: ToastMessage) => void) | null = null;
  return {
    add(message: ToastMessage): void {
      if (show) show(message);
      else waiting.push(message);
    },

    /** Calls `listener` for queued and later toasts. Returns a function that removes the listener. */
    connect(listener: (message: ToastMessage) => void): () => void {
      show = listener;
      for (const message of waiting.splice(0)) listener(message);
      return () => {
        show = null;
      };
    },
  };
}
