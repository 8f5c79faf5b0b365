import { Button } from '#web/ui/controls/button.tsx';
import { isWalletPayment, type PendingPayment } from '../payment/payment-types.ts';
import { ProblemNote } from '#web/ui/lists/problem-note.tsx';
import { StepTitle } from './step-title.tsx';
import type { StepProps } from '../use-subscribe-flow.ts';

/** Shown for a payment that hasn't ended. Until then, the user can't start another payment. */
export function UnfinishedStep({ view: { pending, failure }, flow }: StepProps<'unfinished'>) {
  return (
    <div className="flex flex-col gap-4">
      <StepTitle>{pending.hasLanded ? 'Paid, but not active yet' : "Your payment isn't finished"}</StepTitle>
      {failure ? (
        <ProblemNote>{failure.reason}</ProblemNote>
      ) : (
        <>
          <p className="text-sm">{unfinishedText(pending)}</p>
          <p className="text-sm text-text-muted">We'll look for that payment. You won't sign or pay again.</p>
        </>
      )}
      {isUnsure(pending) && failure !== null && (
        <p className="text-sm text-text-muted">
          Look at the activity in your wallet. If the payment isn't there and your wallet no longer asks for
          it, you can start over.
        </p>
      )}
      <div className="mt-auto space-y-2">
        <Button variant="primary" className="w-full" onClick={() => void flow.resume()}>
          {resumeLabel(pending, failure !== null)}
        </Button>
        {isUnsure(pending) && failure !== null && (
          <Button variant="ghost" className="w-full" onClick={flow.startOver}>
            It wasn't sent. Start over
          </Button>
        )}
      </div>
    </div>
  );
}

/** True if the wallet was prompted to send the payment and hasn't confirmed the send. */
function isUnsure(pending: PendingPayment): boolean {
  return isWalletPayment(pending) && pending.signature === null;
}

function unfinishedText(pending: PendingPayment): string {
  return isUnsure(pending)
    ? 'We asked your wallet to pay this caller, but it has not said yet whether it did.'
    : "You signed a payment to this caller, but it isn't finished yet.";
}

function resumeLabel(pending: PendingPayment, hasFailed: boolean): string {
  if (pending.hasLanded) return 'Finish the subscription';
  if (isUnsure(pending) && !hasFailed) return 'Check this payment';
  return hasFailed ? 'Check this payment again' : 'Finish this payment';
}
