import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { CALCULATOR_STAKE_USD } from '#schema/constants.ts';
import type { CallerSummary } from '#schema/contracts/callers.ts';
import type { PaperFollow } from '#schema/contracts/paper-follows.ts';
import { fullName } from '#schema/rules/people/person-name.ts';
import { changePaperFollowMutation } from '#web/api/paper-follows.queries.ts';
import { AmountPerCall, readStake } from '#web/lib/money/amount-per-call.tsx';
import type { LazyDialogProps } from '#web/lib/page/lazy-dialog.tsx';
import { useToasts } from '#web/lib/page/use-toasts.ts';
import { SignInFirst } from '#web/lib/session/sign-in-first.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { SegmentedToggle } from '#web/ui/controls/segmented-toggle.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';

export interface PaperDialogProps extends LazyDialogProps {
  caller: CallerSummary;
  follow: PaperFollow | undefined;
  isSignedIn: boolean;
}

/** Follows a caller with an imagined amount per call, only watches them, or ends that. */
export function PaperDialog({ open, onOpenChange, isSignedIn, ...rest }: PaperDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Follow ${fullName(rest.caller)} on paper`}
      description="No money moves. You see what following would have made."
    >
      {isSignedIn ? (
        <PaperForm {...rest} onDone={() => onOpenChange(false)} />
      ) : (
        <SignInFirst purpose="follow on paper" />
      )}
    </Dialog>
  );
}

type Way = 'amount' | 'watch';

const WAYS = [
  { value: 'amount', label: 'With an amount' },
  { value: 'watch', label: 'Watch only' },
] as const;

interface PaperFormProps extends Pick<PaperDialogProps, 'caller' | 'follow'> {
  onDone: () => void;
}

function PaperForm({ caller, follow, onDone }: PaperFormProps) {
  const { toast, showError } = useToasts();
  const [way, setWay] = useState<Way>(follow?.amountUsd === null ? 'watch' : 'amount');
  const [amount, setAmount] = useState(String(follow?.amountUsd ?? CALCULATOR_STAKE_USD));
  const stakeUsd = readStake(amount);
  const change = useMutation({
    ...changePaperFollowMutation,
    onSuccess: (...args) => {
      const isFollowing = args[1].amountUsd !== undefined;
      toast({
        title: isFollowing ? 'Saved' : 'Removed',
        description: isFollowing
          ? 'Calls made from now on count. They are in your portfolio when they end.'
          : `You no longer follow ${fullName(caller)} on paper.`,
        action: { label: 'Portfolio', href: '/portfolio' },
      });
      onDone();
      return changePaperFollowMutation.onSuccess?.(...args);
    },
    onError: (error) => showError(error, 'Failed to save'),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (change.isPending || (way === 'amount' && stakeUsd === null)) return;
    change.mutate({ callerId: caller.id, amountUsd: way === 'watch' ? null : stakeUsd });
  };
  return (
    <form noValidate className="space-y-4" onSubmit={submit}>
      <SegmentedToggle<Way>
        label="How to follow"
        value={way}
        onValueChange={setWay}
        options={WAYS}
        className="flex w-full"
      />
      {way === 'amount' && <AmountPerCall value={amount} onChange={setAmount} />}
      <p className="text-sm text-text-muted">
        {follow
          ? 'A change starts again: only calls made from then on count.'
          : 'Ranked calls made from now on count, each bought and sold one minute late.'}{' '}
        When one ends, you get a message on Telegram or in your browser, if you have connected either.
      </p>
      <Button
        type="submit"
        variant="primary"
        className="w-full"
        isPending={change.isPending}
        pendingText="Saving..."
      >
        {follow ? 'Save' : 'Follow'}
      </Button>
      {follow && (
        <Button
          variant="ghost"
          className="w-full"
          isPending={change.isPending}
          onClick={() => change.mutate({ callerId: caller.id, amountUsd: undefined })}
        >
          Remove
        </Button>
      )}
    </form>
  );
}
