import { useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { currentUserQuery } from '#web/api/session.queries.ts';
import { fullName } from '#schema/rules/people/person-name.ts';
import { useMustAcceptTerms } from '#web/lib/session/accept-terms.tsx';
import { isFreeCaller } from '#web/lib/money/fees.ts';
import { IdentityNotesOf } from '#web/lib/people/identity-notes.tsx';
import { SignInFirst } from '#web/lib/session/sign-in-first.tsx';
import type { LazyDialogProps } from '#web/lib/page/lazy-dialog.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { AcceptStep } from './steps/accept-step.tsx';
import { CompleteStep } from './steps/complete-step.tsx';
import { ConfirmStep, PreparingStep } from './steps/confirm-step.tsx';
import { ConnectStep } from './steps/connect-step.tsx';
import { OtherPaymentStep } from './steps/other-payment-step.tsx';
import { PayingStep } from './steps/paying-step.tsx';
import { paymentTracker } from './payment/payment-tracker.ts';
import { useStepFocus } from './steps/step-title.tsx';
import type { SubscribeCaller } from './subscribe-caller.ts';
import type { SubscribeView } from './subscribe-view.ts';
import { UnfinishedStep } from './steps/unfinished-step.tsx';
import { type SubscribeFlow, type SubscribeFlowInput, useSubscribeFlow } from './use-subscribe-flow.ts';

/** The dialog to subscribe to a caller or to renew. Closing it resets the steps. */
export function SubscribeDialog({ caller, ...dialog }: LazyDialogProps & { caller: SubscribeCaller }) {
  const { data: user } = useQuery(currentUserQuery);
  const isPaying = useSyncExternalStore(
    paymentTracker.observe,
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
    case 'other_payment':
      return <OtherPaymentStep view={view} flow={flow} />;
    case 'paying':
      return <PayingStep view={view} flow={flow} onDone={onDone} />;
    case 'complete':
      return <CompleteStep caller={caller} view={view} onDone={onDone} />;
  }
}
