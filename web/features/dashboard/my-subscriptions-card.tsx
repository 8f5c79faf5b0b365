import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { SKELETONS } from '#schema/constants.ts';
import type { CallerSummary } from '#schema/contracts/callers.ts';
import type { MySubscription } from '#schema/contracts/subscriptions.ts';
import { formatMonthlyFee } from '#schema/rules/format.ts';
import { mySubscriptionsQuery } from '#web/api/subscriptions.queries.ts';
import { fullName, initialOf } from '#web/lib/person.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { buttonClassName } from '#web/ui/button-class-name.ts';
import { Card } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { VerifiedMark } from '#web/ui/verified-mark.tsx';
import { ListState } from './list-state.tsx';

/** A caller to subscribe to again. */
export interface RenewableCaller extends CallerSummary {
  readonly monthlyFee: string | null;
  readonly canBeSubscribed: boolean;
  /** End of what they have or had, ISO 8601; null where it has none. */
  readonly accessEndsAt: string | null;
}

/** Whom one follows or followed, until when, and how to go on. */
export function MySubscriptionsCard({ onSubscribe }: { onSubscribe: (caller: RenewableCaller) => void }) {
  // Subscriptions end by themselves, so every visit asks again.
  const query = useQuery({ ...mySubscriptionsQuery, staleTime: 0 });
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
            <EmptyState title="No subscriptions yet" description="Callers you subscribe to are listed here." />
          ) : (
            <ul aria-label="Your Subscriptions" className="divide-y divide-line">
              {subscriptions.map((subscription) => (
                <SubscriptionRow key={subscription.id} subscription={subscription} onSubscribe={onSubscribe} />
              ))}
            </ul>
          )
        }
      </ListState>
    </Card>
  );
}

function SubscriptionRow({ subscription, onSubscribe }: { subscription: MySubscription; onSubscribe: (caller: RenewableCaller) => void }) {
  const { caller, monthlyFee, canBeSubscribed, endDate, isCurrentlyActive } = subscription;
  const subscribe = () => onSubscribe({ ...caller, monthlyFee, canBeSubscribed, accessEndsAt: endDate });
  const canRenewEarly = isCurrentlyActive && endDate !== null && monthlyFee !== null && canBeSubscribed;
  return (
    <li className="flex items-center gap-3 px-4 py-3">
      <Avatar src={caller.profileImageUrl} letter={initialOf(caller, 'C')} size="sm" />
      <div className="min-w-0 flex-1">
        <p className="flex items-center gap-1.5 text-sm font-medium">
          <Link to="/caller/$username" params={{ username: caller.id }} dir="auto" className="min-w-0 truncate py-0.5 underline-offset-4 hover:underline">
            {fullName(caller)}
          </Link>
          {caller.isVerified && <VerifiedMark />}
        </p>
        <p className="figures mt-0.5 flex flex-wrap items-center gap-x-2 text-xs text-text-muted">
          <Badge tone={isCurrentlyActive ? 'gain' : 'neutral'}>{isCurrentlyActive ? 'Active' : 'Expired'}</Badge>
          {endDate !== null && <span>{`${isCurrentlyActive ? 'until' : 'since'} ${new Date(endDate).toLocaleDateString('en-US', { dateStyle: 'medium' })}`}</span>}
          <span>{formatMonthlyFee(monthlyFee)}</span>
        </p>
      </div>
      {!isCurrentlyActive && (
        <Button size="sm" disabled={!canBeSubscribed} title={canBeSubscribed ? undefined : 'This caller has not connected a payout wallet yet.'} aria-label={`Subscribe to ${fullName(caller)}`} onClick={subscribe}>
          {canBeSubscribed ? 'Subscribe' : 'Not open yet'}
        </Button>
      )}
      {canRenewEarly && (
        <Button size="sm" variant="ghost" aria-label={`Renew ${fullName(caller)}`} onClick={subscribe}>
          Renew
        </Button>
      )}
    </li>
  );
}
