import type { ReactNode } from 'react';
import type { CallerProfile } from '#schema/contracts/callers.ts';
import { isFreeCaller } from '#web/lib/fees.ts';
import { readSubscriptionEnd } from '#web/lib/subscription-end.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { useNow } from '#web/ui/use-now.ts';
import { notOpenReason } from './profile-text.ts';

export interface ProfileStatusProps {
  caller: CallerProfile;
  onSubscribe: () => void;
  isSubscribing: boolean;
  /** The button that mutes the caller on Telegram. Only subscribers see it. */
  muteToggle: ReactNode;
}

/** Shows the owner's badge, the subscription or the subscribe button. */
export function ProfileStatus({ caller, onSubscribe, isSubscribing, muteToggle }: ProfileStatusProps) {
  const { isOwner, isSubscribed, accessEndsAt } = caller.viewer;
  if (isOwner) return <Badge tone="accent">Your Profile</Badge>;
  // Shown even if the caller is Free now, until the paid period ends.
  if (isSubscribed) {
    return (
      <Subscribed
        endsAt={isFreeCaller(caller) ? null : accessEndsAt}
        canRenew={caller.canBeSubscribed}
        onRenew={onSubscribe}
        isRenewing={isSubscribing}
        muteToggle={muteToggle}
      />
    );
  }
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
  /** ISO 8601; null if the access does not end. */
  endsAt: string | null;
  canRenew: boolean;
  onRenew: () => void;
  isRenewing: boolean;
  muteToggle: ReactNode;
}

function Subscribed({ endsAt, canRenew, onRenew, isRenewing, muteToggle }: SubscribedProps) {
  const now = useNow();
  const end = endsAt === null ? null : readSubscriptionEnd(endsAt, now);
  const isSoon = end !== null && end.warning !== null;
  return (
    <div className="flex flex-col items-end gap-x-4 gap-y-2 sm:flex-row sm:items-center">
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
        {end !== null && canRenew && (
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
