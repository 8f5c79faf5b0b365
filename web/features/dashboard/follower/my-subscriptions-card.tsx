import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { formatMonthlyFee, pluralize } from '#schema/rules/text/format.ts';
import type { MySubscription } from '#schema/contracts/subscriptions.ts';
import { fullName } from '#schema/rules/people/person-name.ts';
import { callerQuery } from '#web/api/callers.queries.ts';
import { MuteToggle } from '#web/lib/notifications/mute-toggle.tsx';
import { ListState } from '#web/lib/page/list-state.tsx';
import { PersonAvatar } from '#web/lib/people/person-avatar.tsx';
import { SolUsd } from '#web/lib/money/sol-usd.tsx';
import { Badge } from '#web/ui/people/badge.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { buttonClassName } from '#web/ui/controls/button-class-name.ts';
import { CallerLink } from '#web/ui/people/caller-link.tsx';
import { Card } from '#web/ui/lists/card.tsx';
import { PaymentInProgress } from '#web/ui/overlays/payment-in-progress.tsx';
import { useNow } from '#web/ui/figures/use-now.ts';
import { VerifiedMark } from '#web/ui/people/verified-mark.tsx';
import {
  readSubscriptions,
  renewableOf,
  useMySubscriptions,
  type FollowedCaller,
  type RenewableCaller,
} from './my-subscriptions.ts';

export interface MySubscriptionsCardProps {
  onSubscribe: (caller: RenewableCaller) => void;
  onUnfollow: (caller: RenewableCaller) => void;
  isUnfollowing: (callerId: string) => boolean;
  isPaying: (callerId: string) => boolean;
  payingIds: readonly string[];
}

export function MySubscriptionsCard(props: MySubscriptionsCardProps) {
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
      <FirstPayments {...props} subscriptions={query.data} />
      <ListState
        query={query}
        what="your subscriptions"
        empty={{ title: 'No subscriptions yet', description: 'Callers you subscribe to appear here.' }}
      >
        {(subscriptions) => (
          <ul aria-label="Your Subscriptions" className="divide-y divide-line">
            {readSubscriptions(subscriptions, now).map((followed) => (
              <SubscriptionRow key={followed.subscription.id} followed={followed} {...props} />
            ))}
          </ul>
        )}
      </ListState>
    </Card>
  );
}

interface FirstPaymentsProps extends Pick<MySubscriptionsCardProps, 'payingIds' | 'onSubscribe'> {
  subscriptions: readonly MySubscription[] | undefined;
}

/** Signed payments to callers who aren't in the list yet. A renewal is shown in the row of its caller. */
function FirstPayments({ payingIds, subscriptions, onSubscribe }: FirstPaymentsProps) {
  if (subscriptions === undefined) return null;
  const first = payingIds.filter((id) => subscriptions.every(({ callerId }) => callerId !== id));
  if (first.length === 0) return null;
  return (
    <ul aria-label="Payments in progress" className="divide-y divide-line border-b border-line">
      {first.map((id) => (
        <FirstPaymentRow key={id} callerId={id} onSubscribe={onSubscribe} />
      ))}
    </ul>
  );
}

type FirstPaymentRowProps = Pick<FirstPaymentsProps, 'onSubscribe'> & { callerId: string };

function FirstPaymentRow({ callerId, onSubscribe }: FirstPaymentRowProps) {
  const { data: caller } = useQuery(callerQuery(callerId));
  if (!caller) return null;
  const open = () => onSubscribe({ ...caller, accessEndsAt: caller.viewer.accessEndsAt });
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-3">
      <PersonAvatar person={caller} size="sm" />
      <div className="min-w-30 flex-1">
        <p className="flex items-center gap-1.5 text-sm font-medium">
          <CallerLink caller={caller} />
          {caller.isVerified && <VerifiedMark />}
        </p>
        <p className="mt-0.5 text-xs text-text-muted">Signed. Your access starts once it is confirmed.</p>
      </div>
      <PaymentInProgress size="sm" className="ml-auto" to={fullName(caller)} onOpen={open} />
    </li>
  );
}

type SubscriptionRowProps = MySubscriptionsCardProps & { followed: FollowedCaller };

function SubscriptionRow(props: SubscriptionRowProps) {
  const { followed, onSubscribe, isPaying, onUnfollow, isUnfollowing } = props;
  const { subscription, isActive, end } = followed;
  const { caller, monthlyFee, silentDays } = subscription;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-3">
      <PersonAvatar person={caller} size="sm" />
      {/** On narrow screens, this minimum width makes the buttons wrap to a second line. */}
      <div className="min-w-30 flex-1">
        <p className="flex items-center gap-1.5 text-sm font-medium">
          <CallerLink caller={caller} />
          {caller.isVerified && <VerifiedMark />}
        </p>
        <p className="figures mt-0.5 flex flex-wrap items-center gap-x-2 text-xs text-text-muted">
          <StatusBadge followed={followed} />
          {end !== null && <span>{`${isActive ? 'until' : 'since'} ${end.when}`}</span>}
          {isActive && silentDays > 0 && <span>{pluralize(silentDays, 'silent day')} added</span>}
          {/** As wide as with dollars, so that the line breaks before they are known. */}
          <span className={monthlyFee === null ? undefined : 'min-w-32'}>
            {formatMonthlyFee(monthlyFee)}
            <SolUsd sol={monthlyFee} isInline />
          </span>
        </p>
      </div>
      <div className="ml-auto flex items-center empty:hidden">
        {isActive && <MuteToggle caller={caller} />}
        {isActive && subscription.canUnfollow && (
          <Button
            size="sm"
            variant="ghost"
            aria-label={`Unfollow ${fullName(caller)}`}
            isPending={isUnfollowing(caller.id)}
            onClick={() => onUnfollow(renewableOf(subscription))}
          >
            Unfollow
          </Button>
        )}
        <RenewButton followed={followed} onSubscribe={onSubscribe} isPaying={isPaying} />
      </div>
    </li>
  );
}

function StatusBadge({ followed: { isActive, end } }: { followed: FollowedCaller }) {
  if (!isActive) return <Badge>Expired</Badge>;
  if (end?.warning != null) return <Badge tone="warn">{end.warning}</Badge>;
  return <Badge tone="gain">Active</Badge>;
}

export type RenewButtonProps = Pick<SubscriptionRowProps, 'followed' | 'onSubscribe' | 'isPaying'>;

/** Prominent shortly before and after the end. Nothing for a subscription without an end. */
export function RenewButton({ followed, onSubscribe, isPaying }: RenewButtonProps) {
  const { subscription, isActive, end } = followed;
  const { caller, monthlyFee, canBeSubscribed } = subscription;
  const name = fullName(caller);
  const open = () => onSubscribe(renewableOf(subscription));
  if (isPaying(caller.id)) return <PaymentInProgress size="sm" to={name} onOpen={open} />;
  const isFarAway = isActive && end?.warning == null;
  if (isActive && (end === null || (isFarAway && !canBeSubscribed))) return null;
  if (!canBeSubscribed) {
    return (
      <Button
        size="sm"
        disabled
        title="This caller takes no payments now."
        aria-label={`Subscribe to ${name}`}
      >
        Not open yet
      </Button>
    );
  }
  const isFree = monthlyFee === null;
  const renewVariant = isFarAway ? 'ghost' : 'primary';
  return (
    <Button
      size="sm"
      variant={isFree ? 'secondary' : renewVariant}
      aria-label={`${isFree ? 'Subscribe to' : 'Renew'} ${name}`}
      onClick={open}
    >
      {isFree ? 'Subscribe' : 'Renew'}
    </Button>
  );
}
