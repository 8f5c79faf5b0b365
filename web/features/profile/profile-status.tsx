import { lazyRouteComponent } from '@tanstack/react-router';
import { Suspense } from 'react';
import type { CallerProfile } from '#schema/contracts/callers.ts';
import { isDeletedPerson } from '#schema/rules/people/person-name.ts';
import { formatMonthlyFee } from '#schema/rules/text/format.ts';
import { isFreeCaller } from '#web/lib/money/fees.ts';
import { Badge } from '#web/ui/people/badge.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { PaymentInProgress } from '#web/ui/overlays/payment-in-progress.tsx';
import type { ProfileStatusProps } from './profile-status-props.ts';

const SUBSCRIBED = <Badge tone="gain">Subscribed</Badge>;

/** Loaded for subscribers only. If loading fails, they see only the badge. */
const SubscribedStatus = lazyRouteComponent(
  () => import('./subscribed-status.tsx').catch(() => ({ SubscribedStatus: () => SUBSCRIBED })),
  'SubscribedStatus',
);

export function ProfileStatus(props: ProfileStatusProps) {
  const { caller, onSubscribe, isSubscribing, isPaying } = props;
  if (caller.viewer.isOwner) return <Badge tone="accent">Your Profile</Badge>;
  if (caller.viewer.isSubscribed) {
    return (
      <Suspense fallback={SUBSCRIBED}>
        <SubscribedStatus {...props} />
      </Suspense>
    );
  }
  if (isPaying) return <PaymentInProgress onOpen={onSubscribe} />;
  const reason = notOpenReason(caller);
  if (reason !== null) {
    return (
      <div className="flex flex-col items-end gap-1">
        <Button disabled>Subscribe</Button>
        <span className="max-w-48 text-right text-xs text-text-muted">{reason}</span>
      </div>
    );
  }
  return (
    <Button variant="primary" isPending={isSubscribing} pendingText="Subscribing..." onClick={onSubscribe}>
      {isFreeCaller(caller) ? 'Free Access' : 'Subscribe'}
    </Button>
  );
}

/** Returns why a caller takes no subscriptions yet; null if the caller takes them. */
export function notOpenReason(caller: CallerProfile): string | null {
  if (isDeletedPerson(caller)) return 'This account was deleted.';
  if (caller.isSuspended) return 'This caller is suspended.';
  if (caller.deletesAt !== null) return 'This account is being deleted.';
  if (formatMonthlyFee(caller.monthlyFee) === 'Not Set') return "This caller hasn't set a fee yet.";
  return caller.canBeSubscribed ? null : "This caller hasn't connected a payout wallet yet.";
}
