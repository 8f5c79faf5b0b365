import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { OPERATOR_REASON } from '#schema/constants/running.ts';
import { operatorActionMutation } from '#web/api/operators.queries.ts';
import { toast } from '#web/ui/overlays/toast-queue.ts';
import { showError } from '#web/lib/page/show-error.ts';
import { ConfirmButtons } from '#web/ui/controls/confirm-buttons.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Field } from '#web/ui/controls/field.tsx';
import { Textarea } from '#web/ui/controls/textarea.tsx';
import { ACTION_EFFECTS, ACTION_LABELS, PUBLIC_REASONS, type PlannedAction } from './action-labels.ts';

export interface ActionDialogProps {
  planned: PlannedAction | null;
  onClose: () => void;
}

export function ActionDialog({ planned, onClose }: ActionDialogProps) {
  return (
    <Dialog
      open={planned !== null}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={planned ? `${ACTION_LABELS[planned.action]}: ${planned.about}` : ''}
      description={planned ? ACTION_EFFECTS[planned.action] : undefined}
    >
      {planned && <ReasonForm planned={planned} onClose={onClose} />}
    </Dialog>
  );
}

function ReasonForm({ planned, onClose }: { planned: PlannedAction; onClose: () => void }) {
  const [reason, setReason] = useState('');
  const [isTooShort, setIsTooShort] = useState(false);
  const act = useMutation({
    ...operatorActionMutation,
    onError: (error) => showError(error, 'Nothing was changed'),
  });
  const confirm = async () => {
    const isGiven = reason.trim().length >= OPERATOR_REASON.minLength;
    setIsTooShort(!isGiven);
    if (!isGiven) return;
    const { about: _, ...action } = planned;
    const response = await act.mutateAsync({ ...action, reason }).catch(() => null);
    if (response === null) return;
    toast({ title: response.isDone ? 'Done' : 'Nothing to do', description: response.message });
    onClose();
  };
  return (
    <div className="space-y-4">
      <Field
        label="Reason"
        hint={
          PUBLIC_REASONS.has(planned.action)
            ? 'Everybody can read it. Kept in the audit for ever.'
            : 'Kept in the audit for ever.'
        }
        error={isTooShort && `Give a reason of at least ${OPERATOR_REASON.minLength} characters.`}
      >
        <Textarea
          value={reason}
          maxLength={OPERATOR_REASON.maxLength}
          onChange={(event) => setReason(event.target.value)}
        />
      </Field>
      <ConfirmButtons
        confirmLabel={ACTION_LABELS[planned.action]}
        pendingText="Working..."
        isPending={act.isPending}
        onConfirm={() => void confirm()}
        onCancel={onClose}
      />
    </div>
  );
}
