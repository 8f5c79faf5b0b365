import { Button, type ButtonProps } from '../controls/button.tsx';
import { PendingLine } from '../charts/pending-line.tsx';

export interface PaymentInProgressProps extends Pick<ButtonProps, 'size' | 'className'> {
  /** The caller's name. Needed on pages that list several callers. */
  to?: string | undefined;
  /** Opens the dialog that shows the payment. */
  onOpen: () => void;
}

/** Replaces the button to subscribe or renew while a payment to the caller is in progress. */
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
