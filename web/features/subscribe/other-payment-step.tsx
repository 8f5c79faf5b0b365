import { Button } from '#web/ui/button.tsx';
import { StepTitle } from './step-title.tsx';
import type { SubscribeFlow, SubscribeView } from './use-subscribe-flow.ts';

/** A payment to this caller is on its way, and not from this page: until it has ended, no other is opened. */
export function OtherPaymentStep({
  view: { reason, isLooking, news },
  flow,
}: {
  view: Extract<SubscribeView, { step: 'elsewhere' }>;
  flow: SubscribeFlow;
}) {
  return (
    <div className="space-y-4">
      <StepTitle>A payment is on its way</StepTitle>
      <p className="text-sm">{reason}</p>
      <p className="text-sm text-text-muted">
        It may come from another tab or device. When it lands, your subscription starts by itself, with this
        tab open or closed. If it never lands, nothing is paid, and you can pay here.
      </p>
      <p role="status" className="min-h-5 text-sm">
        {news}
      </p>
      <Button
        variant="primary"
        className="w-full"
        isPending={isLooking}
        pendingText="Looking..."
        onClick={() => void flow.lookAgain()}
      >
        Look again
      </Button>
    </div>
  );
}
