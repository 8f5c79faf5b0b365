import { Button } from './button.tsx';

export interface ConfirmButtonsProps {
  confirmLabel: string;
  pendingText: string;
  isPending: boolean;
  /** Without it, the button submits its form. */
  onConfirm?: (() => void) | undefined;
  /** By default, if it doesn't submit a form. */
  isDestructive?: boolean | undefined;
  isDisabled?: boolean | undefined;
  cancelLabel?: string;
  onCancel: () => void;
}

/** Buttons to cancel (left) or confirm (right) an irreversible action, or to submit a form. */
export function ConfirmButtons({
  confirmLabel,
  pendingText,
  isPending,
  onConfirm,
  isDestructive = onConfirm !== undefined,
  isDisabled,
  cancelLabel = 'Cancel',
  onCancel,
}: ConfirmButtonsProps) {
  return (
    <div className="flex gap-2">
      <Button className="flex-1" disabled={isPending} onClick={onCancel}>
        {cancelLabel}
      </Button>
      <Button
        type={onConfirm ? 'button' : 'submit'}
        variant={isDestructive ? 'destructive' : 'primary'}
        disabled={isDisabled}
        className="flex-1"
        isPending={isPending}
        pendingText={pendingText}
        onClick={onConfirm}
      >
        {confirmLabel}
      </Button>
    </div>
  );
}
