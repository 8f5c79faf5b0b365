import { Button, type ButtonProps } from '../controls/button.tsx';
import { PendingLine } from '../charts/pending-line.tsx';

export interface PaymentInProgressProps extends Pick<ButtonProps, 'size' | 'className'> {
  to?: string | undefined;
  onOpen: () => void;
}

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
