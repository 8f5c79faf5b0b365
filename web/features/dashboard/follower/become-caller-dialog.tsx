import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import {
  APPLICATION_FEE_STEP_SOL,
  MIN_APPLICATION_FEE_SOL,
  PLATFORM_FEE_PERCENT,
} from '#schema/constants/money.ts';
import { MICRO_CAP_USD } from '#schema/constants/prices.ts';
import { describeFeeProblem, normalizeFeeInput, readApplicationFee } from '#schema/rules/money/fee-input.ts';
import { formatUsd } from '#schema/rules/text/format.ts';
import { hasCode } from '#web/api/api-error.ts';
import { currentUserQuery } from '#web/api/session.queries.ts';
import { acceptTermsMutation, becomeCallerMutation } from '#web/api/users.queries.ts';
import { AcceptTerms, useMustAcceptTerms } from '#web/lib/session/accept-terms.tsx';
import { TypedFeeInUsd } from '#web/lib/money/typed-fee-in-usd.tsx';
import type { LazyDialogProps } from '#web/lib/page/lazy-dialog.tsx';
import { toast } from '#web/ui/overlays/toast-queue.ts';
import { showError } from '#web/lib/page/show-error.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Field } from '#web/ui/controls/field.tsx';
import { FreeOrPaid, type Plan } from '#web/ui/controls/free-or-paid.tsx';
import { Input } from '#web/ui/controls/input.tsx';

export function BecomeCallerDialog(props: LazyDialogProps) {
  return (
    <Dialog
      {...props}
      title="Become a Caller"
      description="Publish token calls under your name. Wins and losses alike stay on your record."
    >
      <ul className="mb-5 list-disc space-y-1 pl-5 text-sm marker:text-text-muted">
        <li>The bot posts each call, its updates and its end in your Telegram channel or group.</li>
        <li>
          If you charge a fee, the bot lets subscribers into your private group, and removes them when their
          time ends.
        </li>
        <li>Anyone can verify your record: no call can be deleted or changed later.</li>
      </ul>
      <BecomeCallerForm onBecame={() => props.onOpenChange(false)} />
    </Dialog>
  );
}

const BELOW_MINIMUM = `Enter a fee of at least ${MIN_APPLICATION_FEE_SOL} SOL a month.`;

function BecomeCallerForm({ onBecame }: { onBecame: () => void }) {
  const [plan, setPlan] = useState<Plan>('free');
  const [fee, setFee] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const mustAccept = useMustAcceptTerms();
  const [hasAccepted, setHasAccepted] = useState(false);
  const { apply, isPending } = useApply({ mustAccept, onBecame });
  const isMissing = (plan === 'paid' && normalizeFeeInput(fee) === '') || (mustAccept && !hasAccepted);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isPending || isMissing) return;
    const subscriptionPrice = plan === 'free' ? '' : normalizeFeeInput(fee);
    const read = readApplicationFee(subscriptionPrice);
    if (typeof read !== 'string') return void apply(subscriptionPrice);
    setProblem(describeFeeProblem(read, BELOW_MINIMUM));
  };

  return (
    <form noValidate className="space-y-5" onSubmit={submit}>
      <FreeOrPaid value={plan} onValueChange={setPlan} />
      {plan === 'free' ? (
        <p className="text-sm text-text-muted">
          Anyone signed in can see your active calls. You can charge a fee later.
        </p>
      ) : (
        <Field
          label="Monthly fee"
          error={problem}
          hint={
            <>
              <TypedFeeInUsd fee={fee} />
              You get {100 - PLATFORM_FEE_PERCENT}%, the platform keeps {PLATFORM_FEE_PERCENT}%. People can
              subscribe once you connect a payout wallet.
            </>
          }
        >
          <Input
            type="number"
            inputMode="decimal"
            step={APPLICATION_FEE_STEP_SOL}
            min={MIN_APPLICATION_FEE_SOL}
            required
            suffix="SOL"
            value={fee}
            onChange={(event) => {
              setFee(event.target.value);
              setProblem(null);
            }}
            // While the text is invalid, the field's value is empty, so `onChange` may not fire.
            onInput={({ currentTarget }) => {
              if (currentTarget.validity.badInput) {
                setProblem(describeFeeProblem('not_a_number', BELOW_MINIMUM));
              }
            }}
          />
        </Field>
      )}
      <p className="text-sm text-text-muted">
        Calls on micro-caps aren't ranked: tokens with less than {formatUsd(MICRO_CAP_USD)} of liquidity or
        24-hour volume, or with a pool younger than a day.
      </p>
      {mustAccept && <AcceptTerms checked={hasAccepted} onCheckedChange={setHasAccepted} />}
      <Button
        type="submit"
        variant="primary"
        className="w-full"
        disabled={isMissing}
        isPending={isPending}
        pendingText="Applying..."
      >
        Become a Caller
      </Button>
    </form>
  );
}

function useApply({ mustAccept, onBecame }: { mustAccept: boolean; onBecame: () => void }) {
  const queryClient = useQueryClient();
  const accept = useMutation(acceptTermsMutation);
  const become = useMutation(becomeCallerMutation);
  const apply = async (subscriptionPrice: string) => {
    try {
      if (mustAccept) await accept.mutateAsync();
      await become.mutateAsync({ subscriptionPrice });
      toast({ title: 'You Are a Caller', description: 'Make your first call above.' });
      onBecame();
    } catch (error) {
      // The terms have changed since the page was opened. The form asks the user to accept them.
      if (hasCode(error, 'terms.not_accepted')) void queryClient.refetchQueries(currentUserQuery);
      showError(error, 'Failed to become a caller');
    }
  };
  return { apply, isPending: accept.isPending || become.isPending };
}
