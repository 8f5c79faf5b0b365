import { Link } from '@tanstack/react-router';
import { fullName } from '#schema/rules/person-name.ts';
import { Address } from '#web/ui/address.tsx';
import { Button } from '#web/ui/button.tsx';
import { ExplorerLink } from '#web/ui/explorer-link.tsx';
import { PaymentLegs } from './payment-legs.tsx';
import { StepTitle } from './step-title.tsx';
import type { SubscribeCaller } from './subscribe-caller.ts';
import type { StepProps } from './use-subscribe-flow.ts';

export interface CompleteStepProps extends Pick<StepProps<'complete'>, 'view'> {
  caller: SubscribeCaller;
  onDone: () => void;
}

export function CompleteStep({ caller, view: { subscription, receipt }, onDone }: CompleteStepProps) {
  const end = subscription.endDate === null ? null : new Date(subscription.endDate);
  return (
    <div className="space-y-4">
      <StepTitle>{subscription.payment ? 'Payment complete' : 'All set'}</StepTitle>
      <p role="status" className="text-base font-medium">
        You are subscribed to {fullName(caller)}.
      </p>
      <p className="text-sm text-text-muted">
        {end ? (
          <>
            You can see their active calls until{' '}
            <time dateTime={end.toISOString()}>
              {end.toLocaleString([], { dateStyle: 'long', timeStyle: 'short' })}
            </time>
            .
          </>
        ) : (
          'Their calls now appear on your dashboard.'
        )}
      </p>
      {receipt && (
        <>
          <h3 className="text-sm font-semibold">Receipt</h3>
          <PaymentLegs terms={receipt.terms} callerName={fullName(caller)} />
          <div className="text-sm">
            <span className="text-text-muted">Transaction</span>
            <Address value={receipt.signature} label="transaction signature" isFull />
            {subscription.payment && <ExplorerLink href={subscription.payment.explorerUrl} />}
          </div>
          <p className="text-sm text-text-muted">
            You can find this receipt under{' '}
            <Link
              to="/payments/$signature"
              params={{ signature: receipt.signature }}
              onClick={onDone}
              className="text-text underline decoration-line-strong underline-offset-4 hover:decoration-current"
            >
              Payments
            </Link>
            .
          </p>
        </>
      )}
      <Button variant="primary" className="w-full" onClick={onDone}>
        Done
      </Button>
    </div>
  );
}
