import type { CallerProfile } from '#schema/contracts/callers.ts';
import { pluralize, formatMonthlyFee } from '#schema/rules/text/format.ts';
import { isFreeCaller } from '#web/lib/money/fees.ts';
import { useSignInUrl } from '#web/lib/session/use-sign-in-url.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { LinkButton } from '#web/ui/controls/link-button.tsx';
import { PaymentInProgress } from '#web/ui/overlays/payment-in-progress.tsx';
import { notOpenReason } from './profile-text.ts';

export interface HiddenCallsProps {
  caller: CallerProfile;
  onSubscribe: () => void;
  isSubscribing: boolean;
  isPaying: boolean;
  isSignedIn: boolean;
}

/** A placeholder for active calls that the viewer can't see. The server sends only their number. */
export function HiddenCalls(props: HiddenCallsProps) {
  const { caller, onSubscribe, isSubscribing, isPaying, isSignedIn } = props;
  const isClosed = notOpenReason(caller) !== null;
  const hasCalls = caller.activeCallCount > 0;
  const needsSignIn = isFreeCaller(caller) && !isSignedIn;
  const signInUrl = useSignInUrl();
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
        {!isPaying && needsSignIn && (
          <LinkButton href={signInUrl} variant="secondary" className="mt-3">
            Sign in with Twitter
          </LinkButton>
        )}
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
    <svg
      aria-hidden="true"
      viewBox="0 0 600 288"
      preserveAspectRatio="xMidYMid meet"
      className="absolute inset-0 -z-1 size-full text-line-strong opacity-40 blur-sm"
    >
      <g fill="none" stroke="currentColor" strokeWidth="3">
        <path d="M60 92 540 40M60 168 540 132M60 252 540 236" />
        <circle cx="52" cy="93" r="8" />
        <circle cx="52" cy="169" r="8" />
        <circle cx="52" cy="252" r="8" />
      </g>
      <g fill="currentColor">
        <circle cx="548" cy="39" r="10" />
        <circle cx="548" cy="131" r="10" />
        <circle cx="548" cy="236" r="10" />
      </g>
    </svg>
  );
}
