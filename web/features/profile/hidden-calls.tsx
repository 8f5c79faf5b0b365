import { useQuery } from '@tanstack/react-query';
import { formatMonthlyFee } from '#schema/rules/text/format.ts';
import { isDeletedPerson } from '#schema/rules/people/person-name.ts';
import { currentUserQuery } from '#web/api/session.queries.ts';
import { isFreeCaller } from '#web/lib/money/fees.ts';
import { SignInLink } from '#web/lib/session/sign-in-link.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { CallLine } from '#web/ui/charts/call-line.tsx';
import { PaymentInProgress } from '#web/ui/overlays/payment-in-progress.tsx';
import { notOpenReason, type SubscribeProps } from './profile-status.tsx';

/** Stands for active calls that the viewer can't see. The server sends only their number. One line without any. */
export function HiddenCalls({ caller, onSubscribe, isPaying }: Omit<SubscribeProps, 'isSubscribing'>) {
  const { data: user } = useQuery(currentUserQuery);
  const isClosed = notOpenReason(caller) !== null;
  const needsSignIn = isFreeCaller(caller) && !user;
  if (isDeletedPerson(caller)) return <p className="px-1 text-sm text-text-muted">No more calls</p>;
  if (caller.activeCallCount === 0) {
    return (
      <p className="px-1 text-sm text-text-muted">
        No active calls right now. Subscribers see the next one here.
      </p>
    );
  }
  return (
    <section
      aria-label="Active Calls"
      className="relative isolate flex flex-wrap items-center gap-x-6 gap-y-2 overflow-hidden rounded-md border border-line bg-surface-raised p-3 sm:px-4"
    >
      {/** The shape is constant, so it reveals nothing about the calls. */}
      <CallLine
        percent={40}
        className="absolute top-2 right-1/4 -z-1 h-20 w-48 opacity-40 blur-sm grayscale"
      />
      <div className="min-w-0 flex-1 basis-64">
        <div className="flex items-baseline justify-between gap-2 sm:justify-start">
          <h2 className="text-base font-semibold">Subscribe to View Active Calls</h2>
          <span className="figures text-sm text-text-muted">{caller.activeCallCount} now</span>
        </div>
        <p className="text-sm text-text-muted">Get access to real-time call tracking and performance data</p>
      </div>
      <div data-personal>
        {isPaying && <PaymentInProgress onOpen={onSubscribe} />}
        {!isPaying && needsSignIn && <SignInLink />}
        {!isPaying && !needsSignIn && (
          // Disabled while the caller takes no subscriptions. The status at the top gives the reason.
          <Button disabled={isClosed} onClick={onSubscribe}>
            {isFreeCaller(caller)
              ? 'Follow for free'
              : `Subscribe for ${formatMonthlyFee(caller.monthlyFee)}`}
          </Button>
        )}
      </div>
    </section>
  );
}
