import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { DASHBOARD_FEE_STEP_SOL } from '#schema/constants/money.ts';
import { describeFeeProblem, normalizeFeeInput, readMonthlyFee } from '#schema/rules/money/fee-input.ts';
import { formatMonthlyFee } from '#schema/rules/text/format.ts';
import { updateCallerProfileMutation } from '#web/api/users.queries.ts';
import { useDraft, useHasDraft } from '#web/lib/session/drafts.ts';
import { SolUsd } from '#web/lib/money/sol-usd.tsx';
import { TypedFeeInUsd } from '#web/lib/money/typed-fee-in-usd.tsx';
import { toast } from '#web/ui/overlays/toast-queue.ts';
import { showError } from '#web/lib/page/show-error.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { ConfirmButtons } from '#web/ui/controls/confirm-buttons.tsx';
import { Field } from '#web/ui/controls/field.tsx';
import { FreeOrPaid, type Plan } from '#web/ui/controls/free-or-paid.tsx';
import { Input } from '#web/ui/controls/input.tsx';

const DRAFT = 'fee';

export function FeeEditor({ monthlyFee }: { monthlyFee: string | null }) {
  const [isEditing, setIsEditing] = useState(useHasDraft(DRAFT));
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
        <SolUsd sol={monthlyFee} />
      </div>
      <Button ref={editRef} size="sm" aria-label="Edit monthly fee" onClick={() => setIsEditing(true)}>
        Edit
      </Button>
    </div>
  );
}

interface TypedPlan {
  readonly plan: Plan;
  readonly fee: string;
}

interface FeeFormProps {
  monthlyFee: string | null;
  onDone: () => void;
}

function FeeForm({ monthlyFee, onDone }: FeeFormProps) {
  const draft = useDraft<TypedPlan>(DRAFT, {
    plan: monthlyFee === null ? 'free' : 'paid',
    fee: monthlyFee ?? DASHBOARD_FEE_STEP_SOL,
  });
  const { plan, fee } = draft.value;
  const finish = () => {
    draft.drop();
    onDone();
  };
  const { save, isPending } = useSaveFee(finish);
  const formRef = useRef<HTMLFormElement>(null);
  useEscape(formRef, () => !isPending && finish());
  useEffect(() => {
    // Don't take the focus after a reload, because the user may be elsewhere on the page.
    if (!draft.isRestored) formRef.current?.querySelector<HTMLInputElement>('input:checked')?.focus();
  }, [draft.isRestored]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    // If a number input contains invalid text, its value is empty, so its validity is checked, too.
    const input = event.currentTarget.querySelector<HTMLInputElement>('input[type=number]');
    void save({
      fee: plan === 'free' ? null : normalizeFeeInput(fee),
      isUnreadable: input?.validity.badInput ?? false,
    });
  };
  return (
    <form ref={formRef} noValidate className="space-y-4" onSubmit={submit}>
      <FreeOrPaid value={plan} onValueChange={(next) => draft.change({ plan: next, fee })} />
      {plan === 'paid' && (
        <Field
          label="Monthly fee"
          hint={
            <>
              <TypedFeeInUsd fee={fee} />
              {monthlyFee === null
                ? 'Current free followers keep access for 30 more days.'
                : 'Subscribers keep the price they paid until their period ends.'}
            </>
          }
        >
          <Input
            type="number"
            inputMode="decimal"
            step={DASHBOARD_FEE_STEP_SOL}
            min="0"
            suffix="SOL"
            value={fee}
            onChange={(event) => draft.change({ plan, fee: event.target.value })}
          />
        </Field>
      )}
      {plan === 'free' && monthlyFee !== null && (
        <p className="text-xs text-text-muted">
          Anyone signed in will see your active calls. Current subscribers keep access with no end date.
        </p>
      )}
      <ConfirmButtons confirmLabel="Save" pendingText="Saving..." isPending={isPending} onCancel={finish} />
    </form>
  );
}

function useEscape(formRef: RefObject<HTMLFormElement | null>, onEscape: () => void) {
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === 'Escape') onEscape();
  });
  useEffect(() => {
    const form = formRef.current;
    const listen = (event: KeyboardEvent) => handleKey(event);
    form?.addEventListener('keydown', listen);
    return () => form?.removeEventListener('keydown', listen);
  }, [formRef]);
}

interface TypedFee {
  fee: string | null;
  isUnreadable: boolean;
}

function useSaveFee(onSaved: () => void) {
  const updateFee = useMutation(updateCallerProfileMutation);
  const save = async ({ fee, isUnreadable }: TypedFee) => {
    if (updateFee.isPending) return;
    const problem = findFeeProblem({ fee, isUnreadable });
    if (problem !== null) {
      toast({ title: 'Invalid Fee', description: problem, variant: 'destructive' });
      return;
    }
    try {
      await updateFee.mutateAsync({ monthlyFee: fee });
      toast({
        title: 'Monthly Fee Updated',
        description:
          fee === null
            ? 'Your calls are free now. Anyone signed in can see your active calls.'
            : `New subscribers pay ${formatMonthlyFee(fee)} a month.`,
      });
      onSaved();
    } catch (error) {
      showError(error, 'Failed to update monthly fee');
    }
  };
  return { save, isPending: updateFee.isPending };
}

const NOT_ABOVE_0 = 'Monthly fee must be greater than 0 SOL';

function findFeeProblem({ fee, isUnreadable }: TypedFee): string | null {
  if (isUnreadable) return describeFeeProblem('not_a_number', NOT_ABOVE_0);
  const read = readMonthlyFee(fee);
  if (typeof read !== 'string') return null;
  const isEmptyOrNegative = fee === '' || /^-[\d.]+$/.test(fee ?? '');
  return isEmptyOrNegative ? NOT_ABOVE_0 : describeFeeProblem(read, NOT_ABOVE_0);
}
