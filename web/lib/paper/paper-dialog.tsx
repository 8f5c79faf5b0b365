import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { CALCULATOR_STAKE_USD } from '#schema/constants/market.ts';
import type { CallerSummary } from '#schema/contracts/callers.ts';
import type { PaperFollow } from '#schema/contracts/paper-follows.ts';
import { fullName } from '#schema/rules/people/person-name.ts';
import { changePaperFollowMutation } from '#web/api/paper-follows.mutations.ts';
import { currentUserQuery } from '#web/api/session.queries.ts';
import { AmountPerCall, readStake } from '#web/lib/money/amount-per-call.tsx';
import type { LazyDialogProps } from '#web/lib/page/lazy-dialog.tsx';
import { toast } from '#web/ui/overlays/toast-queue.ts';
import { showError } from '#web/lib/page/show-error.ts';
import { SignInFirst } from '#web/lib/session/sign-in-link.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';

export interface PaperDialogProps extends LazyDialogProps {
  caller: CallerSummary;
  follow: PaperFollow | undefined;
}

export function PaperDialog({ caller, follow, ...dialog }: PaperDialogProps) {
  const { data: user } = useQuery(currentUserQuery);
  return (
    <Dialog
      {...dialog}
      title={`Paper: ${fullName(caller)}`}
      description="No money moves. You see what following would have made."
    >
      {user ? (
        <PaperForm caller={caller} follow={follow} onDone={() => dialog.onOpenChange(false)} />
      ) : (
        <SignInFirst purpose="use Paper" />
      )}
    </Dialog>
  );
}

type PaperFormProps = Pick<PaperDialogProps, 'caller' | 'follow'> & { onDone: () => void };

function PaperForm({ caller, follow, onDone }: PaperFormProps) {
  const [amount, setAmount] = useState(String(follow?.amountUsd ?? CALCULATOR_STAKE_USD));
  const { mutate, isPending } = useMutation({
    ...changePaperFollowMutation,
    onSuccess: (...args) => {
      const title = args[1].amountUsd === undefined ? 'Removed' : 'Saved';
      toast({ title, action: { label: 'Portfolio', href: '/portfolio' } });
      onDone();
      return changePaperFollowMutation.onSuccess?.(...args);
    },
    onError: (error) => showError(error, 'Failed to save'),
  });
  const save = (amountUsd: number | null | undefined) => mutate({ callerId: caller.id, amountUsd });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const stakeUsd = readStake(amount);
    if (!isPending && stakeUsd !== null) save(stakeUsd);
  };
  return (
    <form noValidate className="space-y-4 *:w-full" onSubmit={submit}>
      <AmountPerCall value={amount} onChange={setAmount} />
      <p className="text-sm text-text-muted">
        {follow && follow.amountUsd !== null
          ? 'Another amount starts again: only calls made from then on count. '
          : 'Ranked calls made from now on count, each bought and sold one minute late. So does a monthly fee. '}
        When one ends, you get a message if you have connected Telegram or turned on notifications.
      </p>
      <Button type="submit" variant="primary" isPending={isPending} pendingText="Saving...">
        {follow ? 'Save' : 'Paper'}
      </Button>
      <Button isPending={isPending} onClick={() => save(null)}>
        Without an amount
      </Button>
      {follow && (
        <Button variant="ghost" isPending={isPending} onClick={() => save(undefined)}>
          Remove
        </Button>
      )}
    </form>
  );
}
