import { Dialog as Base } from '@base-ui/react/dialog';
import {
  use,
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
  type MouseEvent,
  type ReactNode,
  type RefCallback,
  type RefObject,
} from 'react';
import { findHeading } from '#web/lib/page/focus-heading.ts';
import { X } from '../icons.tsx';
import { buttonClassName } from '../controls/button-class-name.ts';
import { classNames } from '../class-names.ts';
import { useCloseOnBack } from './dialog-history.ts';
import { DialogNotice } from './dialog-notice.ts';
import { onToast, shownToast } from './toast-queue.ts';

export interface DialogProps {
  open: boolean;
  onOpenChange: (isOpen: boolean) => void;
  title: ReactNode;
  description?: ReactNode;
  /**
   * While true, Escape and clicks outside don't close the dialog, because they could be meant for its
   * content.
   */
  isBusy?: boolean | undefined;
  /**
   * True if the dialog never shrinks. If it shrank when its content gets shorter, a second click could land
   * outside.
   */
  keepsHeight?: boolean | undefined;
  size?: 'md' | 'lg' | undefined;
  children: ReactNode;
}

/** A modal dialog: a bottom sheet on phones, centred elsewhere. The browser's Back closes it. */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  isBusy = false,
  keepsHeight = false,
  size = 'md',
  children,
}: DialogProps) {
  const notice = use(DialogNotice);
  const returnFocus = useReturnFocus(open);
  const bodyRef = useRef<HTMLDivElement>(null);
  const holdTallest = useTallest(bodyRef, keepsHeight && !notice);
  useCloseOnBack(open, () => onOpenChange(false));
  const handleOpenChange = (isOpen: boolean, { reason }: Base.Root.ChangeEventDetails) => {
    const isDeliberate = reason === 'close-press';
    if (isOpen || isDeliberate || !isBusy) onOpenChange(isOpen);
  };
  return (
    <Base.Root open={open} onOpenChange={handleOpenChange}>
      <Base.Portal>
        <Base.Backdrop
          data-scrim=""
          className="fixed inset-0 z-40 bg-scrim transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0"
        />
        <Base.Viewport
          onMouseDown={preventSelection}
          className="fixed inset-0 z-50 flex items-end justify-center sm:items-center sm:p-6"
        >
          <Base.Popup
            // On a phone, focusing a field would open the keyboard.
            initialFocus={(openedBy) => openedBy === 'touch' || (findFirstChoice(bodyRef.current) ?? true)}
            finalFocus={returnFocus}
            className={classNames(
              'flex max-h-[92dvh] w-full flex-col rounded-t-md border border-line bg-surface-raised text-text shadow-float',
              'outline-none transition-[transform,opacity] sm:rounded-md',
              'data-ending-style:translate-y-4 data-ending-style:opacity-0',
              'data-starting-style:translate-y-4 data-starting-style:opacity-0',
              size === 'lg' ? 'sm:max-w-2xl' : 'sm:max-w-md',
            )}
          >
            <header className="flex items-start gap-3 border-b border-line py-3 pr-2 pl-5">
              <div className="min-w-0 flex-1 py-2">
                <Base.Title className="text-base font-semibold">{title}</Base.Title>
                {description !== undefined && (
                  <Base.Description className="mt-1 text-sm text-text-muted">{description}</Base.Description>
                )}
              </div>
              <Base.Close aria-label="Close" className={buttonClassName({ variant: 'ghost', size: 'icon' })}>
                <X size={18} />
              </Base.Close>
            </header>
            {notice}
            <div
              ref={holdTallest}
              className={classNames(
                'overflow-y-auto overscroll-contain p-5',
                keepsHeight && 'flex flex-col *:grow',
              )}
            >
              {children}
            </div>
            <LastFailure />
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  );
}

/** The reason of the last failure, because its toast disappears while the dialog waits. */
function LastFailure() {
  const [reason, setReason] = useState<string | null>(null);
  const read = useEffectEvent(() => {
    const shown = shownToast();
    if (shown) setReason((shown.variant === 'destructive' && shown.description) || null);
  });
  useEffect(() => onToast(read), []);
  return reason !== null && <p className="border-t border-loss px-5 py-3 text-sm">{reason}</p>;
}

/** The second click of a double click on the opening button would select a text of the dialog. */
function preventSelection(event: MouseEvent<HTMLElement>): void {
  const isInField = event.target instanceof Element && event.target.closest('input, textarea') !== null;
  if (event.detail > 1 && !isInField) event.preventDefault();
}

/**
 * Returns the control with `data-first-choice`, else the first control in a dialog's body. Null if the
 * control would have to be scrolled into view.
 */
function findFirstChoice(body: HTMLElement | null): HTMLElement | null {
  const marked = body?.querySelector<HTMLElement>('[data-first-choice]');
  const controls = body?.querySelectorAll<HTMLElement>('button, a[href], input, select, textarea') ?? [];
  const first =
    marked ??
    [...controls].find(
      (control) =>
        !control.matches(':disabled, [aria-disabled=true]') &&
        !(control instanceof HTMLInputElement && control.type === 'radio' && !control.checked),
    );
  const isVisible =
    body && first && first.getBoundingClientRect().bottom <= body.getBoundingClientRect().bottom;
  return isVisible ? first : null;
}

/**
 * Returns the focus to the element that opened the dialog. If that element is gone, focuses the page's
 * heading.
 */
function useReturnFocus(isOpen: boolean): () => HTMLElement | null {
  const opener = useRef<Element | null>(null);
  useLayoutEffect(() => {
    if (isOpen) opener.current = document.activeElement;
  }, [isOpen]);
  return () =>
    opener.current instanceof HTMLElement && opener.current.isConnected && opener.current !== document.body
      ? opener.current
      : findHeading();
}

/**
 * Keeps an element at least as tall as it has ever been, until the window's size changes.
 * @param ref also receives the element, because an element can have only one ref callback
 */
function useTallest(ref: RefObject<HTMLElement | null>, isOn: boolean): RefCallback<HTMLElement> {
  return useCallback(
    (element: HTMLElement | null) => {
      ref.current = element;
      if (element === null) return undefined;
      const reset = () => {
        element.style.minHeight = '';
      };
      reset();
      if (!isOn) return undefined;
      const save = () => {
        // Round down, because otherwise fractions of a pixel would make the element grow on each update.
        element.style.minHeight = `${Math.floor(element.getBoundingClientRect().height)}px`;
      };
      const observer = new ResizeObserver(save);
      observer.observe(element);
      window.addEventListener('resize', reset);
      return () => {
        ref.current = null;
        observer.disconnect();
        window.removeEventListener('resize', reset);
      };
    },
    [ref, isOn],
  );
}
