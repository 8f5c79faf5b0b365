export type ToastActionOffer =
  | { label: string; href: string; isExternal?: boolean | undefined }
  | { label: string; onClick: () => void };

export interface ToastMessage {
  title: string;
  description?: string | undefined;
  variant?: 'default' | 'destructive' | undefined;
  action?: ToastActionOffer | undefined;
}

const listeners = new Set<() => void>();
let shown: ToastMessage | null = null;

/** Shows a toast for `TOAST_MS`, instead of an earlier one. Null removes it. */
export function toast(message: ToastMessage | null): void {
  shown = message;
  for (const notify of listeners) notify();
}

export const shownToast = () => shown;

export function onToast(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
