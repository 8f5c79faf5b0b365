import type { CallerListItem } from '#schema/contracts/callers.ts';
import { fullName } from '#schema/rules/person-name.ts';
import { isFreeCaller } from '#web/lib/fees.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';

/** The viewer's fields that the subscribe buttons need. */
export interface DirectoryViewer {
  readonly id: string | null;
  readonly subscribedIds: ReadonlySet<string>;
}

export interface SubscribeButtonProps {
  caller: CallerListItem;
  viewer: DirectoryViewer;
  onSubscribe: (caller: CallerListItem) => void;
}

export function SubscribeButton({ caller, viewer, onSubscribe }: SubscribeButtonProps) {
  if (caller.id === viewer.id) return <Badge tone="accent">Your Profile</Badge>;
  if (viewer.subscribedIds.has(caller.id)) return <Badge tone="gain">Subscribed</Badge>;
  if (!caller.canBeSubscribed) {
    return (
      <Button size="sm" disabled title={`${fullName(caller)} hasn't connected a payout wallet yet.`}>
        Not open yet
      </Button>
    );
  }
  const label = isFreeCaller(caller) ? 'Free Access' : 'Subscribe';
  return (
    <Button size="sm" aria-label={`${label}: ${fullName(caller)}`} onClick={() => onSubscribe(caller)}>
      {label}
    </Button>
  );
}
