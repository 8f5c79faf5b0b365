import { Button } from '#web/ui/controls/button.tsx';
import { StepTitle } from './step-title.tsx';
import type { StepProps } from '../use-subscribe-flow.ts';

/** Shown while another tab or device pays this caller. No second payment can start until that payment ends. */
export function OtherPaymentStep({ view, flow }: StepProps<'other_payment'>) {
  return (
    <div className="flex flex-col gap-4">
      <StepTitle>Payment already in progress</StepTitle>
      <p className="text-sm">{view.reason}</p>
      <p className="text-sm text-text-muted">
        It may come from another tab or device. If it goes through, your subscription starts automatically,
        even with this tab closed. If it doesn't, you can pay here.
      </p>
      <p role="status" className="min-h-5 text-sm">
        {view.checkResult}
      </p>
      <Button
        variant="primary"
        className="mt-auto w-full"
        isPending={view.isChecking}
        pendingText="Checking..."
        onClick={() => void flow.checkOtherPayment()}
      >
        Check again
      </Button>
    </div>
  );
}
