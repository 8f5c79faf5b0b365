import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { acceptTermsMutation } from '#web/api/users.queries.ts';
import { AcceptTerms } from '#web/lib/session/accept-terms.tsx';
import { useToasts } from '#web/lib/page/use-toasts.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { StepTitle } from './step-title.tsx';

/** The user accepts the terms before the first payment, and again if they have changed since. */
export function AcceptStep({ onAccepted }: { onAccepted: () => void }) {
  const [isChecked, setIsChecked] = useState(false);
  const { showError } = useToasts();
  const accept = useMutation({
    ...acceptTermsMutation,
    onError: (error) => showError(error, 'Failed to save this'),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isChecked && !accept.isPending) accept.mutate(undefined, { onSuccess: onAccepted });
  };
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={submit}>
      <StepTitle>Before you pay</StepTitle>
      <p className="text-sm text-text-muted">
        A payment on Solana can't be reversed, and calls are opinions, not advice. You accept this once.
      </p>
      <AcceptTerms checked={isChecked} onCheckedChange={setIsChecked} />
      <Button
        type="submit"
        variant="primary"
        className="w-full"
        disabled={!isChecked}
        isPending={accept.isPending}
        pendingText="Saving..."
      >
        Continue
      </Button>
    </form>
  );
}
