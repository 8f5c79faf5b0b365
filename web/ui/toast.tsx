import { Toast as Base } from '@base-ui/react/toast';
import { X } from 'lucide-react';
import { createContext, use, useMemo, useState, type ReactNode } from 'react';
import { TOAST_MS } from '#schema/constants.ts';
import { buttonClassName } from './button-class-name.ts';
import { Button } from './button.tsx';
import { classNames } from './class-names.ts';
import { LinkButton } from './link-button.tsx';

/** A link, or a button that also closes the toast. */
export type ToastActionOffer =
  | { label: string; href: string; isExternal?: boolean | undefined }
  | { label: string; onClick: () => void };

export interface ToastMessage {
  title: string;
  description?: string | undefined;
  variant?: 'default' | 'destructive' | undefined;
  action?: ToastActionOffer | undefined;
}

interface ToastData {
  readonly action: ToastActionOffer | undefined;
}

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

/** Shows one toast at a time for `TOAST_MS`. Screen readers announce it. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [manager] = useState(() => Base.createToastManager<ToastData>());
  const api = useMemo<ToastApi>(
    () => ({
      toast: ({ title, description, variant = 'default', action }) => {
        // Always low priority, because Base UI hides high-priority toasts and their buttons from screen
        // readers until they get the focus.
        manager.add({ title, description, type: variant, data: { action } });
      },
    }),
    [manager],
  );
  return (
    <ToastContext value={api}>
      <Base.Provider toastManager={manager} limit={1} timeout={TOAST_MS}>
        {children}
        <Base.Portal>
          {/** At the top on phones, because dialogs have their buttons at the bottom there. */}
          <Base.Viewport className="fixed inset-x-4 top-4 z-60 sm:top-auto sm:right-6 sm:bottom-6 sm:left-auto sm:w-96">
            <ToastList />
          </Base.Viewport>
        </Base.Portal>
      </Base.Provider>
    </ToastContext>
  );
}

function ToastList() {
  const { toasts, close } = Base.useToastManager<ToastData>();
  return toasts
    .filter((toast) => !toast.limited)
    .map((toast) => (
      <Base.Root
        key={toast.id}
        toast={toast}
        swipeDirection={['up', 'down', 'right']}
        // Overrides Base UI's default role, which is dialog, because the viewport is already a live region.
        role="group"
        aria-modal={undefined}
        className={classNames(
          'absolute inset-x-0 top-0 rounded-md sm:top-auto sm:bottom-0',
          'border border-l-4 bg-surface-raised shadow-float transition-[transform,opacity]',
          'translate-x-(--toast-swipe-movement-x) translate-y-(--toast-swipe-movement-y)',
          'data-ending-style:opacity-0 data-starting-style:opacity-0',
          'data-starting-style:-translate-y-3 sm:data-starting-style:translate-y-3',
          toast.type === 'destructive' ? 'border-loss' : 'border-line-strong border-l-accent',
        )}
      >
        <Base.Content className="flex items-start gap-2 py-2 pr-1 pl-4">
          <div className="min-w-0 flex-1 py-2">
            <Base.Title className="text-sm font-semibold" />
            <Base.Description className="mt-1 text-sm text-text-muted" />
            {toast.data?.action && <ToastAction offer={toast.data.action} onDone={() => close(toast.id)} />}
          </div>
          {/** Overrides aria-hidden, which Base UI sets for a collapsed stack, because one toast is no stack. */}
          <Base.Close
            aria-label="Dismiss"
            aria-hidden={undefined}
            className={buttonClassName({ variant: 'ghost', size: 'icon' })}
          >
            <X aria-hidden="true" size={16} />
          </Base.Close>
        </Base.Content>
      </Base.Root>
    ));
}

function ToastAction({ offer, onDone }: { offer: ToastActionOffer; onDone: () => void }) {
  if ('href' in offer) {
    return (
      <LinkButton href={offer.href} isExternal={offer.isExternal} size="sm" className="mt-2">
        {offer.label}
      </LinkButton>
    );
  }
  const act = () => {
    onDone();
    offer.onClick();
  };
  return (
    <Button size="sm" className="mt-2" onClick={act}>
      {offer.label}
    </Button>
  );
}
