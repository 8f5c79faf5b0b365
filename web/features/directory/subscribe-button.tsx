import type { CallerListItem } from '#schema/contracts/callers.ts';
import { fullName } from '#schema/rules/people/person-name.ts';
import { isFreeCaller } from '#web/lib/money/fees.ts';
import { Badge } from '#web/ui/people/badge.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { PaymentInProgress } from '#web/ui/overlays/payment-in-progress.tsx';

export interface DirectoryViewer {
  readonly id: string | null;
  readonly subscribedIds: ReadonlySet<string>;
  /** The callers that the viewer follows for free: by id, the end of access (ISO 8601, null if it doesn't end). */
  readonly freeFollows: ReadonlyMap<string, string | null>;
  readonly isUnfollowing: (callerId: string) => boolean;
}

export interface SubscribeButtonProps {
  caller: CallerListItem;
  viewer: DirectoryViewer;
  onSubscribe: (caller: CallerListItem) => void;
  onUnfollow: (caller: CallerListItem & { readonly accessEndsAt: string | null }) => void;
  isPaying: (callerId: string) => boolean;
  /** Puts Unfollow below the badge, for narrow columns. */
  isStacked?: boolean | undefined;
}

export function SubscribeButton(props: SubscribeButtonProps) {
  const { caller, viewer, onSubscribe, onUnfollow, isPaying, isStacked = false } = props;
  if (caller.id === viewer.id) return <Badge tone="accent">Your Profile</Badge>;
  const accessEndsAt = viewer.freeFollows.get(caller.id);
  if (accessEndsAt !== undefined) {
    return (
      <span
        className={classNames('inline-flex', isStacked ? '-my-1 flex-col items-end' : 'items-center gap-1')}
      >
        <Badge tone="gain">Subscribed</Badge>
        <Button
          size="sm"
          variant="ghost"
          className={isStacked ? '-mr-3' : undefined}
          aria-label={`Unfollow ${fullName(caller)}`}
          isPending={viewer.isUnfollowing(caller.id)}
          onClick={() => onUnfollow({ ...caller, accessEndsAt })}
        >
          Unfollow
        </Button>
      </span>
    );
  }
  if (viewer.subscribedIds.has(caller.id)) return <Badge tone="gain">Subscribed</Badge>;
  if (isPaying(caller.id)) {
    return <PaymentInProgress size="sm" to={fullName(caller)} onOpen={() => onSubscribe(caller)} />;
  }
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
