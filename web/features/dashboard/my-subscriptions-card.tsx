import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { SKELETONS } from '#schema/constants.ts';
import type { CallerSummary } from '#schema/contracts/callers.ts';
import { formatMonthlyFee } from '#schema/rules/format.ts';
import { fullName } from '#schema/rules/person-name.ts';
import { initialOf } from '#web/lib/person.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { buttonClassName } from '#web/ui/button-class-name.ts';
import { Card } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { useNow } from '#web/ui/use-now.ts';
import { VerifiedMark } from '#web/ui/verified-mark.tsx';
import { ListState } from '#web/lib/list-state.tsx';
import {
  readSubscriptions,
  renewableOf,
  useMySubscriptions,
  type FollowedCaller,
  type RenewableCaller,
} from './my-subscriptions.ts';

export interface MySubscriptionsCardProps {
  onSubscribe: (caller: RenewableCaller) => void;
  /** How somebody whom one follows is muted; nothing where nothing of them is told. */
  renderMute: (caller: CallerSummary) => ReactNode;
}

/** Whom one follows or followed, until when, and how to go on. */
export function MySubscriptionsCard({ onSubscribe, renderMute }: MySubscriptionsCardProps) {
  const query = useMySubscriptions();
  const now = useNow();
  return (
    <Card
      title="Your Subscriptions"
      aside={
        <Link to="/payments" className={buttonClassName({ size: 'sm', variant: 'ghost' })}>
          Payments
        </Link>
      }
      isFlush
    >
      <ListState query={query} what="your subscriptions" skeletons={SKELETONS.activeCalls}>
        {(subscriptions) =>
          subscriptions.length === 0 ? (
            <EmptyState
              title="No subscriptions yet"
              description="Callers you subscribe to are listed here."
            />
          ) : (
            <ul aria-label="Your Subscriptions" className="divide-y divide-line">
              {readSubscriptions(subscriptions, now).map((followed) => (
                <SubscriptionRow
                  key={followed.subscription.id}
                  followed={followed}
                  onSubscribe={onSubscribe}
                  renderMute={renderMute}
                />
              ))}
            </ul>
          )
        }
      </ListState>
    </Card>
  );
}

interface SubscriptionRowProps extends MySubscriptionsCardProps {
  followed: FollowedCaller;
}

function SubscriptionRow({ followed, onSubscribe, renderMute }: SubscriptionRowProps) {
  const { subscription, isActive, end } = followed;
  const { caller, monthlyFee } = subscription;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-3">
      <Avatar src={caller.profileImageUrl} letter={initialOf(caller, 'C')} size="sm" />
      {/* Where bell and button leave no room for it, they stand under it. */}
      <div className="min-w-30 flex-1">
        <p className="flex items-center gap-1.5 text-sm font-medium">
          <Link
            to="/caller/$username"
            params={{ username: caller.id }}
            dir="auto"
            className="min-w-0 truncate py-0.5 underline-offset-4 hover:underline"
          >
            {fullName(caller)}
          </Link>
          {caller.isVerified && <VerifiedMark />}
        </p>
        <p className="figures mt-0.5 flex flex-wrap items-center gap-x-2 text-xs text-text-muted">
          {isActive && end?.warning != null ? (
            <Badge tone="warn">{end.warning}</Badge>
          ) : (
            <Badge tone={isActive ? 'gain' : 'neutral'}>{isActive ? 'Active' : 'Expired'}</Badge>
          )}
          {end !== null && <span>{`${isActive ? 'until' : 'since'} ${end.when}`}</span>}
          <span>{formatMonthlyFee(monthlyFee)}</span>
        </p>
      </div>
      <div className="ml-auto flex items-center empty:hidden">
        {isActive && renderMute(caller)}
        <RenewButton followed={followed} onSubscribe={onSubscribe} />
      </div>
    </li>
  );
}

/** Quiet while there is time, plain to see when it ends soon or has ended, and absent where nothing ends. */
function RenewButton({
  followed: { subscription, isActive, end },
  onSubscribe,
}: Omit<SubscriptionRowProps, 'renderMute'>) {
  const { caller, monthlyFee, canBeSubscribed } = subscription;
  const isQuiet = isActive && end?.warning == null;
  if (isActive && (end === null || (isQuiet && !canBeSubscribed))) return null;
  if (!canBeSubscribed) {
    return (
      <Button
        size="sm"
        disabled
        title="This caller has not connected a payout wallet yet."
        aria-label={`Subscribe to ${fullName(caller)}`}
      >
        Not open yet
      </Button>
    );
  }
  const label =
    monthlyFee === null
      ? { short: 'Subscribe', full: `Subscribe to ${fullName(caller)}` }
      : { short: 'Renew', full: `Renew ${fullName(caller)}` };
  return (
    <Button
      size="sm"
      variant={monthlyFee === null ? 'secondary' : isQuiet ? 'ghost' : 'primary'}
      aria-label={label.full}
      onClick={() => onSubscribe(renewableOf(subscription))}
    >
      {label.short}
    </Button>
  );
}
