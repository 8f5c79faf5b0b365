import type { CallerProfile } from '#schema/contracts/callers.ts';
import { isDeletedPerson } from '#schema/rules/people/person-name.ts';
import { formatMonthlyFee } from '#schema/rules/text/format.ts';
import { isFreeCaller } from '#web/lib/money/fees.ts';
import { readSubscriptionEnd } from '#web/lib/people/subscription-end.ts';
import { Badge } from '#web/ui/people/badge.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { PaymentInProgress } from '#web/ui/overlays/payment-in-progress.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { useNow } from '#web/ui/figures/use-now.ts';
import { lazyPart } from '#web/lib/page/lazy-part.tsx';

/** Loaded for subscribers only. */
const MuteToggle = lazyPart(async () => (await import('#web/lib/notifications/mute-toggle.tsx')).MuteToggle);

export interface SubscribeProps {
  caller: CallerProfile;
  onSubscribe: () => void;
  isSubscribing: boolean;
  /** True while a payment to the caller is in progress. Then `onSubscribe` opens its dialog. */
  isPaying: boolean;
}

export interface ProfileStatusProps extends SubscribeProps {
  onUnfollow: () => void;
  isUnfollowing: boolean;
}

export function ProfileStatus(props: ProfileStatusProps) {
  const { caller, onSubscribe, isSubscribing, isPaying } = props;
  if (caller.viewer.isOwner) return <Badge tone="accent">Your Profile</Badge>;
  if (caller.viewer.isSubscribed) return <SubscribedStatus {...props} />;
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

function SubscribedStatus(props: ProfileStatusProps) {
  const { caller, onSubscribe, isPaying, onUnfollow, isUnfollowing } = props;
  const { accessEndsAt, boughtDays, canUnfollow } = caller.viewer;
  const now = useNow();
  const end =
    accessEndsAt === null || isFreeCaller(caller) ? null : readSubscriptionEnd(accessEndsAt, now, boughtDays);
  const isSoon = end !== null && end.warning !== null;
  return (
    <div className="flex flex-wrap items-center justify-end gap-x-3 gap-y-1">
      <div className="flex flex-col items-end gap-1">
        <Badge tone="gain">Subscribed</Badge>
        {end !== null && (
          <span className={classNames('text-right text-xs', isSoon ? 'text-warn' : 'text-text-muted')}>
            {isSoon && <span className="block font-medium">{end.warning}</span>}
            until {end.when}
          </span>
        )}
      </div>
      <div className="flex items-center gap-1 empty:hidden">
        <MuteToggle caller={caller} />
        {canUnfollow && (
          <Button variant="ghost" isPending={isUnfollowing} pendingText="Unfollowing..." onClick={onUnfollow}>
            Unfollow
          </Button>
        )}
        {isPaying && <PaymentInProgress onOpen={onSubscribe} />}
        {!isPaying && end !== null && caller.canBeSubscribed && (
          <Button variant={isSoon ? 'primary' : 'secondary'} onClick={onSubscribe}>
            Renew
          </Button>
        )}
      </div>
    </div>
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
