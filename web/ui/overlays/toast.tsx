import { useEffect, useRef, useSyncExternalStore } from 'react';
import { TOAST_MS } from '#schema/constants/web.ts';
import { X } from '../icons.tsx';
import { buttonClassName } from '../controls/button-class-name.ts';
import { Button } from '../controls/button.tsx';
import { classNames } from '../class-names.ts';
import { LinkButton } from '../controls/link-button.tsx';
import { onToast, shownToast, toast, type ToastActionOffer, type ToastMessage } from './toast-queue.ts';

const close = () => toast(null);

/**
 * The page's toast. It's polite, because screen readers hide urgent ones and their buttons. An open dialog doesn't hide
 * live regions from screen readers. The toast stays while the user is at it or elsewhere. F6 moves the focus to it.
 */
export function Toasts() {
  const shown = useSyncExternalStore(onToast, shownToast, () => null);
  const ref = useRef<HTMLElement>(null);
  useEffect(() => close, []);
  useEffect(() => {
    if (shown === null) return undefined;
    const timer = setInterval(() => {
      if (document.hasFocus() && !ref.current?.matches(':hover, :focus-within')) close();
    }, TOAST_MS);
    const moveFocus = ({ key }: KeyboardEvent) => key === 'F6' && ref.current?.focus();
    window.addEventListener('keydown', moveFocus);
    return () => {
      clearInterval(timer);
      window.removeEventListener('keydown', moveFocus);
    };
  }, [shown]);
  return (
    <section
      ref={ref}
      aria-label="Notifications"
      aria-live="polite"
      tabIndex={-1}
      // On a phone, at the top below the navigation bar, because dialogs have their buttons at the bottom.
      className="fixed inset-x-4 top-18 z-60 sm:inset-x-auto sm:top-auto sm:right-6 sm:bottom-6 sm:w-96"
    >
      {shown && <ToastBox message={shown} />}
    </section>
  );
}

function ToastBox({ message: { title, description, variant, action } }: { message: ToastMessage }) {
  return (
    <div
      role="group"
      aria-label={title}
      className={classNames(
        'toast',
        variant === 'destructive' ? 'border-loss' : 'border-line-strong border-l-accent',
      )}
    >
      <div className="min-w-0 flex-1 py-2">
        <p className="text-sm font-semibold">{title}</p>
        {description !== undefined && <p className="mt-1 text-sm text-text-muted">{description}</p>}
        {action && <ToastAction offer={action} />}
      </div>
      <button
        type="button"
        aria-label="Dismiss"
        className={buttonClassName({ variant: 'ghost', size: 'icon' })}
        onClick={close}
      >
        <X size={16} />
      </button>
    </div>
  );
}

function ToastAction({ offer }: { offer: ToastActionOffer }) {
  if ('href' in offer) {
    return (
      <LinkButton href={offer.href} isExternal={offer.isExternal} size="sm" className="mt-2">
        {offer.label}
      </LinkButton>
    );
  }
  const act = () => {
    close();
    offer.onClick();
  };
  return (
    <Button size="sm" className="mt-2" onClick={act}>
      {offer.label}
    </Button>
  );
}
