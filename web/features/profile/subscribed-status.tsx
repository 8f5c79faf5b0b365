import { isFreeCaller } from '#web/lib/money/fees.ts';
import { readSubscriptionEnd } from '#web/lib/people/subscription-end.ts';
import { Badge } from '#web/ui/people/badge.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { PaymentInProgress } from '#web/ui/overlays/payment-in-progress.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { useNow } from '#web/ui/figures/use-now.ts';
import type { ProfileStatusProps } from './profile-status-props.ts';

export function SubscribedStatus(props: ProfileStatusProps) {
  const { caller, onSubscribe, isSubscribing, isPaying, onUnfollow, isUnfollowing, muteToggle } = props;
  const { accessEndsAt, canUnfollow } = caller.viewer;
  const now = useNow();
  const end = accessEndsAt === null || isFreeCaller(caller) ? null : readSubscriptionEnd(accessEndsAt, now);
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
        {muteToggle}
        {canUnfollow && (
          <Button variant="ghost" isPending={isUnfollowing} pendingText="Unfollowing..." onClick={onUnfollow}>
            Unfollow
          </Button>
        )}
        {isPaying && <PaymentInProgress onOpen={onSubscribe} />}
        {!isPaying && end !== null && caller.canBeSubscribed && (
          <Button
            variant={isSoon ? 'primary' : 'secondary'}
            isPending={isSubscribing}
            pendingText="Renewing..."
            onClick={onSubscribe}
          >
            Renew
          </Button>
        )}
      </div>
    </div>
  );
}
