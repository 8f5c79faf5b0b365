import { Button } from './button.tsx';

export interface ConfirmButtonsProps {
  confirmLabel: string;
  pendingText: string;
  isPending: boolean;
  onConfirm: () => void;
  cancelLabel: string;
  onCancel: () => void;
}

/** Buttons to cancel (left) or confirm (right) an irreversible action. */
export function ConfirmButtons({
  confirmLabel,
  pendingText,
  isPending,
  onConfirm,
  cancelLabel,
  onCancel,
}: ConfirmButtonsProps) {
  return (
    <div className="flex gap-2">
      <Button className="flex-1" disabled={isPending} onClick={onCancel}>
        {cancelLabel}
      </Button>
      <Button
        variant="destructive"
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
