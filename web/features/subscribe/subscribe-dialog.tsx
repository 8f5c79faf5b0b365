import { useQuery, useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useSyncExternalStore, useState, type FormEvent } from 'react';
import { fullName } from '#schema/rules/people/person-name.ts';
import { currentUserQuery } from '#web/api/session.queries.ts';
import { useMustAcceptTerms, AcceptTerms } from '#web/lib/session/accept-terms.tsx';
import { isFreeCaller } from '#web/lib/money/fees.ts';
import { IdentityNotesOf } from '#web/lib/people/identity-notes.tsx';
import { SignInFirst } from '#web/lib/session/sign-in-link.tsx';
import type { LazyDialogProps } from '#web/lib/page/lazy-dialog.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { acceptTermsMutation } from '#web/api/users.queries.ts';
import { showError } from '#web/lib/page/show-error.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { useWallet } from '#web/lib/wallets/use-wallet.ts';
import { ProblemNote } from '#web/ui/lists/problem-note.tsx';
import { CompleteStep } from './steps/complete-step.tsx';
import { ConfirmStep, PreparingStep } from './steps/confirm-step.tsx';
import { ConnectStep } from './steps/connect-step.tsx';
import { PayingStep } from './steps/paying-step.tsx';
import { paymentTracker } from './payment/payment-tracker.ts';
import { useStepFocus, StepTitle } from './steps/step-title.tsx';
import type { SubscribeCaller } from './subscribe-caller.ts';
import type { SubscribeView } from './subscribe-view.ts';
import {
  useSubscribeFlow,
  type SubscribeFlow,
  type SubscribeFlowInput,
  type StepProps,
} from './use-subscribe-flow.ts';
import { isSigned, type PendingPayment } from './payment/payment-types.ts';

/** The dialog to subscribe to a caller or to renew. Closing it resets the steps. */
export function SubscribeDialog({ caller, ...dialog }: LazyDialogProps & { caller: SubscribeCaller }) {
  const { data: user } = useQuery(currentUserQuery);
  const isPaying = useSyncExternalStore(
    paymentTracker.subscribe,
    () => paymentTracker.find(caller.id)?.status === 'running',
  );
  return (
    <Dialog
      {...dialog}
      isBusy={isPaying}
      keepsHeight
      title={
        <>
          Subscribe to <bdi>{fullName(caller)}</bdi>
        </>
      }
    >
      {user ? (
        <SubscribeSteps caller={caller} userId={user.id} onDone={() => dialog.onOpenChange(false)} />
      ) : (
        <SignInFirst purpose="subscribe to callers" />
      )}
    </Dialog>
  );
}

const STEPS_BEFORE_PAYING: ReadonlySet<string> = new Set(['connect', 'preparing', 'confirm']);

function SubscribeSteps({ onDone, ...input }: SubscribeFlowInput & { onDone: () => void }) {
  const flow = useSubscribeFlow(input);
  const mustAccept = useMustAcceptTerms() && showsTerms(input.caller, flow.view);
  useLastWallet(flow, mustAccept);
  const frame = useStepFocus(mustAccept ? 'accept' : flow.view.step);
  return (
    <div className="flex flex-col">
      {STEPS_BEFORE_PAYING.has(flow.view.step) && (
        <IdentityNotesOf callerId={input.caller.id} onLeave={onDone} className="mb-4" />
      )}
      <div ref={frame} className="flex grow flex-col *:grow">
        {mustAccept ? (
          <AcceptStep onAccepted={() => flow.view.step === 'confirm' && void flow.prepare()} />
        ) : (
          <CurrentStep caller={input.caller} flow={flow} onDone={onDone} />
        )}
      </div>
    </div>
  );
}

/** Continues with the wallet of the last payment if it's connected, unless the user has come back to choose another one. */
function useLastWallet({ view, lastPayer, prepare }: SubscribeFlow, mustAccept: boolean): void {
  const { address } = useWallet();
  const hasChosen = useRef(false);
  const isLast = view.step === 'connect' && !mustAccept && address !== null && address === lastPayer;
  useEffect(() => {
    if (isLast && !hasChosen.current) void prepare();
    if (isLast || view.step !== 'connect') hasChosen.current = true;
  });
}

/** True for a Paid caller until a payment is opened. An open or signed payment never waits for the terms. */
function showsTerms(caller: SubscribeCaller, view: SubscribeView): boolean {
  if (isFreeCaller(caller) || !caller.canBeSubscribed) return false;
  return view.step === 'connect' || (view.step === 'confirm' && view.opened === null);
}

type CurrentStepProps = { caller: SubscribeCaller; flow: SubscribeFlow; onDone: () => void };

function CurrentStep({ caller, flow, onDone }: CurrentStepProps) {
  const { view } = flow;
  switch (view.step) {
    case 'connect':
      return <ConnectStep caller={caller} flow={flow} />;
    case 'preparing':
      return <PreparingStep />;
    case 'confirm':
      return <ConfirmStep caller={caller} view={view} flow={flow} />;
    case 'unfinished':
      return <UnfinishedStep view={view} flow={flow} />;
    case 'paying':
      return <PayingStep view={view} flow={flow} onDone={onDone} />;
    case 'complete':
      return <CompleteStep caller={caller} view={view} onDone={onDone} />;
  }
}

function AcceptStep({ onAccepted }: { onAccepted: () => void }) {
  const [isChecked, setIsChecked] = useState(false);
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

/** Shown for a payment that hasn't ended. Until then, the user can't start another payment. */
function UnfinishedStep({ view: { pending, problem }, flow }: StepProps<'unfinished'>) {
  return (
    <div className="flex flex-col gap-4">
      <StepTitle>{pending.hasLanded ? 'Paid, but not active yet' : "Your payment isn't finished"}</StepTitle>
      {problem ? (
        <ProblemNote>{problem}</ProblemNote>
      ) : (
        <>
          <p className="text-sm">{unfinishedText(pending)}</p>
          <p className="text-sm text-text-muted">We'll look for that payment. You won't sign or pay again.</p>
        </>
      )}
      {isUnsure(pending) && problem !== null && (
        <p className="text-sm text-text-muted">
          Look at the activity in your wallet. If the payment failed or isn't there, and your wallet no longer
          asks for it, you can start over.
        </p>
      )}
      <div className="mt-auto space-y-2">
        <Button variant="primary" className="w-full" onClick={() => void flow.resume()}>
          {resumeLabel(pending, problem !== null)}
        </Button>
        {isUnsure(pending) && problem !== null && (
          <Button variant="ghost" className="w-full" onClick={flow.startOver}>
            It wasn't paid. Start over
          </Button>
        )}
      </div>
    </div>
  );
}

/** True if only the wallet knows whether it has sent the payment. */
function isUnsure(pending: PendingPayment): boolean {
  return !isSigned(pending) && !pending.hasLanded;
}

function unfinishedText(pending: PendingPayment): string {
  if (pending.hasLanded) return "Your payment to this caller is on the chain, but it isn't credited yet.";
  return isSigned(pending)
    ? "You signed a payment to this caller, but it isn't finished yet."
    : "You started a payment to this caller, but we haven't found it yet.";
}

function resumeLabel(pending: PendingPayment, hasFailed: boolean): string {
  if (hasFailed) return 'Check this payment again';
  return isSigned(pending) && !pending.hasLanded ? 'Finish this payment' : 'Check this payment';
}
