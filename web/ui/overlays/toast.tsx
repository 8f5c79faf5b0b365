import { useEffect, useState, type ComponentType } from 'react';
import { Button } from '../controls/button.tsx';
import type { ToastMessage } from './toast-message.ts';
import { onWaitingToasts, showToasts } from './toast-queue.ts';

/** The code of toasts, loaded on the user's first action or for the page's first toast. */
let loaded: ComponentType | null = null;

export async function loadToasts(): Promise<ComponentType | null> {
  // If loading fails, the next toast tries again.
  loaded ??= await import('./toast-view.tsx').then(
    (module) => module.ToastView,
    () => null,
  );
  return loaded;
}

const USER_ACTIONS = ['pointerdown', 'keydown'] as const;

export function Toasts() {
  const [View, setView] = useState<ComponentType | null>(() => loaded);
  useEffect(() => {
    const load = async () => {
      const view = await loadToasts();
      setView(() => view ?? PlainToasts);
    };
    return onWaitingToasts(() => void load());
  }, []);
  useEffect(() => {
    const load = () => {
      stop();
      void loadToasts();
    };
    const stop = () => USER_ACTIONS.forEach((type) => window.removeEventListener(type, load));
    for (const type of USER_ACTIONS) window.addEventListener(type, load, { passive: true });
    return stop;
  }, []);
  return View && <View />;
}

/** Shows toasts if the code of `ToastView` can't load, for example because the connection is lost. */
function PlainToasts() {
  const [shown, setShown] = useState<ToastMessage | null>(null);
  useEffect(() => showToasts(setShown), []);
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
