import { Button, type ButtonProps } from '../controls/button.tsx';
import { PendingLine } from '../charts/pending-line.tsx';

export interface PaymentInProgressProps extends Pick<ButtonProps, 'size' | 'className'> {
  /** The caller's name. Needed where the page lists several callers. */
  to?: string | undefined;
  /** Opens the dialog that shows the payment. */
  onOpen: () => void;
}

/** Replaces the button that subscribes or renews while a payment to the caller hasn't ended. */
export function PaymentInProgress({ to, onOpen, ...style }: PaymentInProgressProps) {
  const label = 'Payment in progress';
  return (
    <Button {...style} aria-label={to === undefined ? undefined : `${label}: ${to}`} onClick={onOpen}>
      <span className="max-sm:hidden">
        <PendingLine />
      </span>
      {label}
    </Button>
  );
}
