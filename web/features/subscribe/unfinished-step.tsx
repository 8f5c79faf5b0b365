import { Button } from '#web/ui/button.tsx';
import { ProblemNote } from './problem-note.tsx';
import { StepTitle } from './step-title.tsx';
import type { StepProps } from './use-subscribe-flow.ts';

/** Shown for a signed payment that hasn't ended. Until then, the user can't start another payment. */
export function UnfinishedStep({ view: { pending, failure }, flow }: StepProps<'unfinished'>) {
  return (
    <div className="flex flex-col gap-4">
      <StepTitle>{pending.hasLanded ? 'Paid, but not active yet' : "Your payment isn't finished"}</StepTitle>
      {failure ? (
        <ProblemNote>{failure.reason}</ProblemNote>
      ) : (
        <>
          <p className="text-sm">You signed a payment to this caller, but it isn't finished yet.</p>
          <p className="text-sm text-text-muted">We'll look for that payment. You won't sign or pay again.</p>
        </>
      )}
      <Button variant="primary" className="mt-auto w-full" onClick={() => void flow.resume()}>
        {resumeLabel(pending.hasLanded, failure !== null)}
      </Button>
    </div>
  );
}

function resumeLabel(hasLanded: boolean, hasFailed: boolean): string {
  if (hasLanded) return 'Finish the subscription';
  return hasFailed ? 'Check this payment again' : 'Finish this payment';
}
