import type { CallerProfile } from '#schema/contracts/callers.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { closedBecause, formatDay, isFree } from './profile-words.ts';

export interface ProfileStatusProps {
  caller: CallerProfile;
  onSubscribe: () => void;
  isSubscribing: boolean;
}

/** What the viewer is to this caller: the owner, a subscriber, or somebody who can become one. */
export function ProfileStatus({ caller, onSubscribe, isSubscribing }: ProfileStatusProps) {
  const { isOwner, isSubscribed, accessEndsAt } = caller.viewer;
  if (isOwner) return <Badge tone="accent">Your Profile</Badge>;
  if (isSubscribed) {
    return (
      <div className="flex flex-col items-end gap-1">
        <Badge tone="gain">Subscribed</Badge>
        {accessEndsAt !== null && <span className="text-xs text-text-muted">until {formatDay(accessEndsAt)}</span>}
      </div>
    );
  }
  const reason = closedBecause(caller);
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
      {isFree(caller) ? 'Free Access' : 'Subscribe'}
    </Button>
  );
}
