import { Button } from '#web/ui/button.tsx';
import { ProblemNote } from './problem-note.tsx';
import { StepTitle } from './step-title.tsx';
import type { SubscribeFlow, SubscribeView } from './use-subscribe-flow.ts';

/** A payment that was signed and has not come to an end: it goes on, and nothing else can be paid meanwhile. */
export function UnfinishedStep({
  view: { pending, failure },
  flow,
}: {
  view: Extract<SubscribeView, { step: 'unfinished' }>;
  flow: SubscribeFlow;
}) {
  return (
    <div className="space-y-4">
      <StepTitle>{pending.hasLanded ? 'Paid, and not active yet' : 'Your payment is not finished'}</StepTitle>
      {failure ? (
        <ProblemNote>{failure.reason}</ProblemNote>
      ) : (
        <>
          <p className="text-sm">You have signed a payment to this caller that is not finished yet.</p>
          <p className="text-sm text-text-muted">
            Going on looks for that payment. You are not asked to sign again and never pay twice.
          </p>
        </>
      )}
      <Button variant="primary" className="w-full" onClick={() => void flow.resume()}>
        {pending.hasLanded
          ? 'Finish the subscription'
          : failure
            ? 'Check this payment again'
            : 'Finish this payment'}
      </Button>
    </div>
  );
}
