import { createContext, use, useEffect, useMemo, useState, type ComponentType, type ReactNode } from 'react';
import { Button } from '../controls/button.tsx';
import type { ToastMessage } from './toast-message.ts';
import { createToastQueue, type ToastQueue } from './toast-queue.ts';

interface ToastApi {
  readonly toast: (message: ToastMessage) => void;
}

const ToastContext = createContext<ToastApi | null>(null);

/**
 * Returns a stable function, so that it can be an effect's dependency.
 * @throws outside a ToastProvider
 */
export function useToast(): ToastApi {
  const api = use(ToastContext);
  if (!api) throw new Error('useToast needs a ToastProvider above it.');
  return api;
}

type View = ComponentType<{ queue: ToastQueue }>;

/** The code of toasts, loaded on the user's first action or for the page's first toast. */
let loaded: View | null = null;

export async function loadToasts(): Promise<View | null> {
  // If loading fails, the next toast tries again.
  loaded ??= await import('./toast-view.tsx').then(
    (module) => module.ToastView,
    () => null,
  );
  return loaded;
}

const USER_ACTIONS = ['pointerdown', 'keydown'] as const;

/**
 * Shows one toast at a time, for `TOAST_MS` (or until it's dismissed, if the code of toasts doesn't load).
 * Screen readers announce it.
 */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [queue] = useState(createToastQueue);
  const [View, setView] = useState<View | null>(() => loaded);
  const api = useMemo<ToastApi>(() => {
    const load = async () => {
      const view = await loadToasts();
      setView(() => view ?? PlainToasts);
    };
    return {
      toast: (message) => {
        queue.add(message);
        void load();
      },
    };
  }, [queue]);
  useEffect(() => {
    const load = () => {
      stop();
      void loadToasts();
    };
    const stop = () => USER_ACTIONS.forEach((type) => window.removeEventListener(type, load));
    for (const type of USER_ACTIONS) window.addEventListener(type, load, { passive: true });
    return stop;
  }, []);
  return (
    <ToastContext value={api}>
      {children}
      {View && <View queue={queue} />}
    </ToastContext>
  );
}

/** Shows toasts if the code of `ToastView` can't load, for example because the connection is lost. */
function PlainToasts({ queue }: { queue: ToastQueue }) {
  const [shown, setShown] = useState<ToastMessage | null>(null);
  useEffect(() => queue.connect(setShown), [queue]);
  if (shown === null) return null;
  return (
    <div
      role="alert"
      className="fixed inset-x-4 bottom-4 z-60 rounded-md border border-line-strong bg-surface-raised px-4 py-3 shadow-float sm:left-auto sm:w-96"
    >
      <p className="text-sm font-semibold">{shown.title}</p>
      <p className="mt-1 text-sm text-text-muted">{shown.description}</p>
      <Button size="sm" className="mt-2" onClick={() => setShown(null)}>
        Dismiss
      </Button>
    </div>
  );
}
