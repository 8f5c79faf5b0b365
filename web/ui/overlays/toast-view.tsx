import { Toast as Base } from '@base-ui/react/toast';
import { useEffect, useState } from 'react';
import { TOAST_MS } from '#schema/constants/web.ts';
import { X } from '../icons.tsx';
import { buttonClassName } from '../controls/button-class-name.ts';
import { Button } from '../controls/button.tsx';
import { classNames } from '../class-names.ts';
import { LinkButton } from '../controls/link-button.tsx';
import { showToasts } from './toast-queue.ts';
import type { ToastActionOffer } from './toast-message.ts';

interface ToastData {
  readonly action: ToastActionOffer | undefined;
}

export function ToastView() {
  const [manager] = useState(() => Base.createToastManager<ToastData>());
  useEffect(
    () =>
      showToasts(({ title, description, variant = 'default', action }) => {
        // Always low priority, because Base UI hides high-priority toasts and their buttons from screen
        // readers until they get the focus.
        manager.add({ title, description, type: variant, data: { action } });
      }),
    [manager],
  );
  return (
    <Base.Provider toastManager={manager} limit={1} timeout={TOAST_MS}>
      <Base.Portal>
        {/**
         * On a phone, toasts are at the top below the navigation bar, because dialogs have their buttons at the
         * bottom.
         */}
        <Base.Viewport className="fixed inset-x-4 top-18 z-60 sm:inset-x-auto sm:top-auto sm:right-6 sm:bottom-6 sm:w-96">
          <ToastList />
        </Base.Viewport>
      </Base.Portal>
    </Base.Provider>
  );
}

function ToastList() {
  const { toasts, close } = Base.useToastManager<ToastData>();
  return toasts
    .filter((toast) => !toast.limited)
    .map((toast) => <ToastBox key={toast.id} toast={toast} onDone={() => close(toast.id)} />);
}

type ShownToast = ReturnType<typeof Base.useToastManager<ToastData>>['toasts'][number];

function ToastBox({ toast, onDone }: { toast: ShownToast; onDone: () => void }) {
  return (
    <Base.Root
      toast={toast}
      swipeDirection={['up', 'down', 'right']}
      // Override Base UI's default role (dialog), because the viewport is already a live region.
      role="group"
      aria-modal={undefined}
      className={classNames(
        'rounded-md border border-l-4 bg-surface-raised shadow-float transition-[transform,opacity]',
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
          {toast.data?.action && <ToastAction offer={toast.data.action} onDone={onDone} />}
        </div>
        {/**
         * Base UI sets aria-hidden for a collapsed stack of toasts. Override it, because there is only one toast.
         */}
        <Base.Close
          aria-label="Dismiss"
          aria-hidden={undefined}
          className={buttonClassName({ variant: 'ghost', size: 'icon' })}
        >
          <X aria-hidden="true" size={16} />
        </Base.Close>
      </Base.Content>
    </Base.Root>
  );
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
