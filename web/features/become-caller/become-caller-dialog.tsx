import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import {
  APPLICATION_FEE_STEP_SOL,
  MIN_APPLICATION_FEE_SOL,
  PLATFORM_FEE_PERCENT,
} from '#schema/constants.ts';
import { normalizeFeeInput, readApplicationFee } from '#schema/rules/fee-input.ts';
import { reasonOf } from '#web/api/api-error.ts';
import { becomeCallerMutation } from '#web/api/users.queries.ts';
import { feeProblemText } from '#web/lib/fees.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { Input } from '#web/ui/input.tsx';
import { SegmentedToggle } from '#web/ui/segmented-toggle.tsx';
import { useToast } from '#web/ui/toast.tsx';

export interface BecomeCallerDialogProps {
  open: boolean;
  onOpenChange: (isOpen: boolean) => void;
  /** The user is a caller now. */
  onBecame?: (() => void) | undefined;
}

type Plan = 'free' | 'paid';

const PLANS = [
  { value: 'free', label: 'Free' },
  { value: 'paid', label: 'Paid' },
] as const;

/** Applies to become a caller, at a price or for free. */
export function BecomeCallerDialog({ open, onOpenChange, onBecame }: BecomeCallerDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Become a Caller"
      description="Publish token calls under your name. Every call stays on your record, wins and losses alike."
    >
      <BecomeCallerForm
        onBecame={() => {
          onOpenChange(false);
          onBecame?.();
        }}
      />
    </Dialog>
  );
}

function BecomeCallerForm({ onBecame }: { onBecame: () => void }) {
  const [plan, setPlan] = useState<Plan>('free');
  const [price, setPrice] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const { toast } = useToast();
  const becomeCaller = useMutation(becomeCallerMutation(useQueryClient()));

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (becomeCaller.isPending) return;
    const subscriptionPrice = plan === 'free' ? '' : normalizeFeeInput(price);
    if (plan === 'paid' && subscriptionPrice === '') return;
    const fee = readApplicationFee(subscriptionPrice);
    if (typeof fee === 'string') {
      setProblem(
        feeProblemText(fee, `A paid subscription costs at least ${MIN_APPLICATION_FEE_SOL} SOL a month.`),
      );
      return;
    }
    try {
      await becomeCaller.mutateAsync({ subscriptionPrice });
      toast({ title: 'You Are a Caller', description: 'Make your first call on your dashboard.' });
      onBecame();
    } catch (error) {
      toast({
        title: 'Error',
        description: reasonOf(error, 'Failed to become a caller'),
        variant: 'destructive',
      });
    }
  };

  return (
    <form noValidate className="space-y-5" onSubmit={(event) => void submit(event)}>
      <SegmentedToggle<Plan>
        label="Subscription"
        value={plan}
        onValueChange={setPlan}
        options={PLANS}
        className="flex w-full"
      />
      {plan === 'free' ? (
        <p className="text-sm text-text-muted">
          Anyone who is signed in sees your active calls. You can charge later.
        </p>
      ) : (
        <Field
          label="Monthly price"
          error={problem}
          hint={`You get ${100 - PLATFORM_FEE_PERCENT}% of it, the platform ${PLATFORM_FEE_PERCENT}%. You can be subscribed to once you have connected a wallet to be paid to.`}
        >
          <Input
            type="number"
            inputMode="decimal"
            step={APPLICATION_FEE_STEP_SOL}
            min={MIN_APPLICATION_FEE_SOL}
            required
            suffix="SOL"
            value={price}
            onChange={(event) => {
              setPrice(event.target.value);
              setProblem(null);
            }}
          />
        </Field>
      )}
      <Button
        type="submit"
        variant="primary"
        className="w-full"
        disabled={plan === 'paid' && normalizeFeeInput(price) === ''}
        isPending={becomeCaller.isPending}
        pendingText="Applying..."
      >
        Become a Caller
      </Button>
    </form>
  );
}
