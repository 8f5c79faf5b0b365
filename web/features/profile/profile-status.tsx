import type { ReactNode } from 'react';
import type { CallerProfile } from '#schema/contracts/callers.ts';
import { isFreeCaller } from '#web/lib/money/fees.ts';
import { readSubscriptionEnd } from '#web/lib/people/subscription-end.ts';
import { Badge } from '#web/ui/people/badge.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { PaymentInProgress } from '#web/ui/overlays/payment-in-progress.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { useNow } from '#web/ui/figures/use-now.ts';
import { notOpenReason } from './profile-text.ts';

export interface ProfileStatusProps {
  caller: CallerProfile;
  onSubscribe: () => void;
  isSubscribing: boolean;
  onUnfollow: () => void;
  isUnfollowing: boolean;
  /**
   * True if a payment to the caller is in progress. Then `onSubscribe` opens the dialog that shows the
   * payment.
   */
  isPaying: boolean;
  /** The button that mutes the caller on Telegram. Only subscribers see it. */
  muteToggle: ReactNode;
}

/** Shows the owner's badge, the subscription or the subscribe button. */
export function ProfileStatus(props: ProfileStatusProps) {
  const { caller, onSubscribe, isSubscribing, isPaying } = props;
  const { isOwner, isSubscribed, accessEndsAt, canUnfollow } = caller.viewer;
  if (isOwner) return <Badge tone="accent">Your Profile</Badge>;
  // A paid period stays visible until its end, even if the caller is Free now.
  if (isSubscribed) {
    return (
      <Subscribed
        endsAt={isFreeCaller(caller) ? null : accessEndsAt}
        canRenew={caller.canBeSubscribed}
        onRenew={onSubscribe}
        isRenewing={isSubscribing}
        isPaying={isPaying}
        onUnfollow={canUnfollow ? props.onUnfollow : null}
        isUnfollowing={props.isUnfollowing}
        muteToggle={props.muteToggle}
      />
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

interface SubscribedProps {
  /** End of the access (ISO 8601); null if it doesn't end. */
  endsAt: string | null;
  canRenew: boolean;
  onRenew: () => void;
  isRenewing: boolean;
  isPaying: boolean;
  /** Ends a free follow; null for a paid subscription, which can't be ended early. */
  onUnfollow: (() => void) | null;
  isUnfollowing: boolean;
  muteToggle: ReactNode;
}

function Subscribed(props: SubscribedProps) {
  const { endsAt, canRenew, onRenew, isRenewing, isPaying, onUnfollow, isUnfollowing, muteToggle } = props;
  const now = useNow();
  const end = endsAt === null ? null : readSubscriptionEnd(endsAt, now);
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
        {onUnfollow !== null && (
          <Button variant="ghost" isPending={isUnfollowing} pendingText="Unfollowing..." onClick={onUnfollow}>
            Unfollow
          </Button>
        )}
        {isPaying && <PaymentInProgress onOpen={onRenew} />}
        {!isPaying && end !== null && canRenew && (
          <Button
            variant={isSoon ? 'primary' : 'secondary'}
            isPending={isRenewing}
            pendingText="Renewing..."
            onClick={onRenew}
          >
            Renew
          </Button>
        )}
      </div>
    </div>
  );
}
