import { useMutation } from '@tanstack/react-query';
import { createContext, use, useState, type FormEvent, type ReactNode } from 'react';
import { OPERATOR_REASON } from '#schema/constants/running.ts';
import type { OfferedAction, OperatorActionBody } from '#schema/contracts/operators.ts';
import { ACTION_EFFECTS, ACTION_LABELS, PUBLIC_REASONS } from '#schema/rules/text/operator-actions.ts';
import { operatorActionMutation } from '#web/api/operators.queries.ts';
import { showError } from '#web/lib/page/show-error.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { ConfirmButtons } from '#web/ui/controls/confirm-buttons.tsx';
import { Field } from '#web/ui/controls/field.tsx';
import { Input } from '#web/ui/controls/input.tsx';
import { Textarea } from '#web/ui/controls/textarea.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { toast } from '#web/ui/overlays/toast-queue.ts';

const OfferContext = createContext<(action: OfferedAction) => void>(() => undefined);

/** Gives its children the dialog that asks for an action's reason. */
export function ActionDialog({ children }: { children: ReactNode }) {
  const [offered, setOffered] = useState<OfferedAction | null>(null);
  const close = () => setOffered(null);
  return (
    <OfferContext value={setOffered}>
      {children}
      <Dialog
        open={offered !== null}
        onOpenChange={(isOpen) => !isOpen && close()}
        title={offered ? `${ACTION_LABELS[offered.action]}: ${offered.about}` : ''}
        description={offered ? ACTION_EFFECTS[offered.action] : undefined}
      >
        {offered && <ReasonForm offered={offered} onClose={close} />}
      </Dialog>
    </OfferContext>
  );
}

export function ActionButtons({ actions }: { actions: readonly OfferedAction[] }) {
  const onOffer = use(OfferContext);
  return actions.map((offered) => (
    <Button
      key={`${offered.action} ${offered.subjectId}`}
      size="sm"
      aria-label={`${ACTION_LABELS[offered.action]}: ${offered.about}`}
      onClick={() => onOffer(offered)}
    >
      {ACTION_LABELS[offered.action]}
    </Button>
  ));
}

function ReasonForm({ offered, onClose }: { offered: OfferedAction; onClose: () => void }) {
  const [reason, setReason] = useState('');
  const [handle, setHandle] = useState('');
  const [isTooShort, setIsTooShort] = useState(false);
  const act = useMutation({
    ...operatorActionMutation,
    onSuccess: ({ message: title }) => {
      toast({ title });
      onClose();
    },
    onError: (error) => showError(error, 'Nothing was changed'),
  });
  const isDeletion = offered.action === 'delete_account';
  const confirm = (event: FormEvent) => {
    event.preventDefault();
    const isGiven = reason.trim().length >= OPERATOR_REASON.minLength;
    setIsTooShort(!isGiven);
    if (isGiven) act.mutate(bodyOf(offered, reason, handle));
  };
  return (
    <form noValidate className="space-y-4" onSubmit={confirm}>
      {offered.detail !== undefined && <p className="text-sm">{offered.detail}</p>}
      {isDeletion && (
        <Field label={`Type ${offered.about} to confirm`}>
          <Input value={handle} onChange={(event) => setHandle(event.target.value)} />
        </Field>
      )}
      <Field
        label="Reason"
        hint={`${PUBLIC_REASONS.has(offered.action) ? 'Everybody can read it. ' : ''}Kept in the audit for ever.`}
        error={isTooShort && `Give a reason of at least ${OPERATOR_REASON.minLength} characters.`}
      >
        <Textarea
          value={reason}
          maxLength={OPERATOR_REASON.maxLength}
          onChange={(event) => setReason(event.target.value)}
        />
      </Field>
      <ConfirmButtons
        confirmLabel={ACTION_LABELS[offered.action]}
        isDestructive={isDeletion}
        pendingText="Working..."
        isPending={act.isPending}
        onCancel={onClose}
      />
    </form>
  );
}

function bodyOf(offered: OfferedAction, reason: string, handle: string): OperatorActionBody {
  const { about: _about, detail: _detail, ...action } = offered;
  return action.action === 'delete_account' ? { ...action, reason, handle } : { ...action, reason };
}
