import { isDeletedPerson } from '#schema/rules/people/person-name.ts';
import { pluralize, formatMonthlyFee } from '#schema/rules/text/format.ts';
import { isFreeCaller } from '#web/lib/money/fees.ts';
import { SignInLink } from '#web/lib/session/sign-in-link.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { CallLine } from '#web/ui/charts/call-line.tsx';
import { EmptyState } from '#web/ui/lists/empty-state.tsx';
import { PaymentInProgress } from '#web/ui/overlays/payment-in-progress.tsx';
import { notOpenReason, type SubscribeProps } from './profile-status.tsx';

interface HiddenCallsProps extends SubscribeProps {
  isSignedIn: boolean;
}

/** A placeholder for active calls that the viewer can't see. The server sends only their number. */
export function HiddenCalls(props: HiddenCallsProps) {
  const { caller, onSubscribe, isSubscribing, isPaying, isSignedIn } = props;
  const isClosed = notOpenReason(caller) !== null;
  const hasCalls = caller.activeCallCount > 0;
  const needsSignIn = isFreeCaller(caller) && !isSignedIn;
  if (isDeletedPerson(caller)) {
    return <EmptyState title="No more calls" description="This account was deleted." />;
  }
  return (
    <div className="relative isolate min-h-72 overflow-hidden">
      <BlurredLines />
      <div
        data-personal
        className="relative flex min-h-72 flex-col items-center justify-center gap-2 px-5 py-8 text-center"
      >
        <h3 className="text-base font-semibold">Subscribe to View Active Calls</h3>
        <p className="max-w-sm text-sm text-text-muted">
          Get access to real-time call tracking and performance data
        </p>
        <p className="max-w-sm text-sm tabular-nums">
          {hasCalls
            ? `${pluralize(caller.activeCallCount, 'active call')} now`
            : 'No active calls right now. Subscribers see the next one here.'}
        </p>
        {isPaying && <PaymentInProgress className="mt-3" onOpen={onSubscribe} />}
        {!isPaying && needsSignIn && <SignInLink className="mt-3" />}
        {!isPaying && !needsSignIn && (
          // Disabled while the caller takes no subscriptions. The status at the top gives the reason.
          <Button
            className="mt-3"
            disabled={isClosed}
            isPending={isSubscribing}
            pendingText="Subscribing..."
            onClick={onSubscribe}
          >
            {isFreeCaller(caller)
              ? 'Subscribe for free'
              : `Subscribe for ${formatMonthlyFee(caller.monthlyFee)}`}
          </Button>
        )}
      </div>
    </div>
  );
}

/** The shapes are constant, so they reveal nothing about the calls. */
function BlurredLines() {
  return (
    <div className="absolute inset-0 -z-1 flex flex-col items-center justify-around opacity-40 blur-sm grayscale">
      {[80, 40, 10].map((percent) => (
        <CallLine key={percent} percent={percent} className="h-20 w-48" />
      ))}
    </div>
  );
}
