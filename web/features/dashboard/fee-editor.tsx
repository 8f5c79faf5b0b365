import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { DASHBOARD_FEE_STEP_SOL } from '#schema/constants.ts';
import { normalizeFeeInput, readMonthlyFee } from '#schema/rules/fee-input.ts';
import { formatMonthlyFee } from '#schema/rules/format.ts';
import { reasonOf } from '#web/api/api-error.ts';
import { updateCallerProfileMutation } from '#web/api/users.queries.ts';
import { feeProblemText } from '#web/lib/fees.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { Input } from '#web/ui/input.tsx';
import { SegmentedToggle } from '#web/ui/segmented-toggle.tsx';
import { useToast } from '#web/ui/toast.tsx';

type Plan = 'free' | 'paid';

const PLANS = [
  { value: 'free', label: 'Free' },
  { value: 'paid', label: 'Paid' },
] as const;

/** The monthly fee, edited in place. `monthlyFee` is a decimal string in SOL; null is Free. */
export function FeeEditor({ monthlyFee }: { monthlyFee: string | null }) {
  const [isEditing, setIsEditing] = useState(false);
  const editRef = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(false);
  useEffect(() => {
    if (!isEditing && wasEditing.current) editRef.current?.focus();
    wasEditing.current = isEditing;
  }, [isEditing]);
  if (isEditing) return <FeeForm monthlyFee={monthlyFee} onDone={() => setIsEditing(false)} />;
  return (
    <div className="flex items-center justify-between gap-4">
      <div className="min-w-0">
        <p className="text-xs text-text-muted">Monthly Fee</p>
        <p className="text-lg tabular-nums font-semibold">{formatMonthlyFee(monthlyFee)}</p>
      </div>
      <Button ref={editRef} size="sm" aria-label="Edit monthly fee" onClick={() => setIsEditing(true)}>
        Edit
      </Button>
    </div>
  );
}

function FeeForm({ monthlyFee, onDone }: { monthlyFee: string | null; onDone: () => void }) {
  const [plan, setPlan] = useState<Plan>(monthlyFee === null ? 'free' : 'paid');
  const [fee, setFee] = useState(monthlyFee ?? DASHBOARD_FEE_STEP_SOL);
  const { toast } = useToast();
  const updateFee = useMutation(updateCallerProfileMutation(useQueryClient()));

  const formRef = useRef<HTMLFormElement>(null);
  const cancelByKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === 'Escape' && !updateFee.isPending) onDone();
  });
  useEffect(() => {
    const form = formRef.current;
    form?.querySelector<HTMLInputElement>('input:checked')?.focus();
    const listen = (event: KeyboardEvent) => cancelByKey(event);
    form?.addEventListener('keydown', listen);
    return () => form?.removeEventListener('keydown', listen);
  }, []);

  const save = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (updateFee.isPending) return;
    const next = plan === 'free' ? null : normalizeFeeInput(fee);
    // What is no number at all a number field hands over as nothing.
    const isJunk =
      event.currentTarget.querySelector<HTMLInputElement>('input[type=number]')?.validity.badInput ?? false;
    const read = isJunk ? 'not_a_number' : readMonthlyFee(next);
    if (typeof read === 'string') {
      const isNotAbove0 = !isJunk && (next === '' || /^-[\d.]+$/.test(next ?? ''));
      toast({
        title: 'Invalid Fee',
        description: isNotAbove0 ? NOT_ABOVE_0 : feeProblemText(read, NOT_ABOVE_0),
        variant: 'destructive',
      });
      return;
    }
    try {
      await updateFee.mutateAsync({ monthlyFee: next });
      toast({
        title: 'Monthly Fee Updated',
        description:
          next === null
            ? 'You are free now: anyone who is signed in sees your active calls.'
            : `New subscribers pay ${formatMonthlyFee(next)} a month.`,
      });
      onDone();
    } catch (error) {
      toast({
        title: 'Error',
        description: reasonOf(error, 'Failed to update monthly fee'),
        variant: 'destructive',
      });
    }
  };

  return (
    <form ref={formRef} noValidate className="space-y-4" onSubmit={(event) => void save(event)}>
      <SegmentedToggle<Plan>
        label="Monthly Fee"
        value={plan}
        onValueChange={setPlan}
        options={PLANS}
        className="flex w-full"
      />
      {plan === 'paid' && (
        <Field
          label="Fee a month"
          hint={
            monthlyFee === null
              ? 'Those who follow you for free now keep their access for 30 more days.'
              : 'Who has paid keeps the price of their period.'
          }
        >
          <Input
            type="number"
            inputMode="decimal"
            step={DASHBOARD_FEE_STEP_SOL}
            min="0"
            suffix="SOL"
            value={fee}
            onChange={(event) => setFee(event.target.value)}
          />
        </Field>
      )}
      {plan === 'free' && monthlyFee !== null && (
        <p className="text-xs text-text-muted">
          Everyone who is signed in will see your active calls. Running subscriptions stay open.
        </p>
      )}
      <div className="flex gap-2">
        <Button
          type="submit"
          variant="primary"
          className="flex-1"
          isPending={updateFee.isPending}
          pendingText="Saving..."
        >
          Save
        </Button>
        <Button className="flex-1" disabled={updateFee.isPending} onClick={onDone}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

const NOT_ABOVE_0 = 'Monthly fee must be greater than 0 SOL';
