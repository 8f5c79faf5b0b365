import { fullName } from '#schema/rules/people/person-name.ts';
import { SegmentedToggle } from '#web/ui/controls/segmented-toggle.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { PaymentInProgress } from '#web/ui/overlays/payment-in-progress.tsx';
import { useNow } from '#web/ui/figures/use-now.ts';
import { CallerView, type CallerViewProps } from './caller/caller-view.tsx';
import { SubscriberView, type SubscriberViewProps } from './follower/subscriber-view.tsx';
import {
  readSubscriptions,
  renewableOf,
  useMySubscriptions,
  type FollowedCaller,
  type RenewableCaller,
} from './follower/my-subscriptions.ts';

export interface DashboardPageProps extends CallerViewProps, SubscriberViewProps {
  /** The chosen view. Undefined means the default: callers get the caller view. */
  view: DashboardView | undefined;
  onViewChange: (view: DashboardView | undefined) => void;
}

export type DashboardView = 'subscriber' | 'caller';

const VIEWS = [
  { value: 'subscriber', label: 'Subscriber' },
  { value: 'caller', label: 'Caller' },
] as const;

export function DashboardPage({ view: chosen, onViewChange, ...props }: DashboardPageProps) {
  const { user, onSubscribe, isPaying } = props;
  const view = user.isCaller ? (chosen ?? 'caller') : 'subscriber';
  return (
    <div className="desk py-6 md:py-10">
      <header className="mb-6 flex flex-wrap items-center justify-between gap-4">
        <h1 className="text-xl font-semibold tracking-tight md:text-2xl">
          {view === 'caller' ? (
            'Caller Dashboard'
          ) : (
            <>
              Welcome, <bdi>{user.firstName || 'Trader'}</bdi>!
            </>
          )}
        </h1>
        {user.isCaller && (
          <SegmentedToggle<DashboardView>
            label="Dashboard view"
            value={view}
            onValueChange={(next) => onViewChange(next === 'caller' ? undefined : next)}
            options={VIEWS}
          />
        )}
      </header>
      <EndingNotice onSubscribe={onSubscribe} isPaying={isPaying} />
      {view === 'caller' ? <CallerView {...props} /> : <SubscriberView {...props} />}
    </div>
  );
}

interface EndingNoticeProps {
  onSubscribe: (caller: RenewableCaller) => void;
  isPaying: (callerId: string) => boolean;
}

function EndingNotice({ onSubscribe, isPaying }: EndingNoticeProps) {
  const { data } = useMySubscriptions();
  const now = useNow();
  const [first, ...others] = readSubscriptions(data ?? [], now).filter(({ endsSoon }) => endsSoon);
  if (!first) return null;
  const { subscription } = first;
  const name = fullName(subscription.caller);
  const renew = () => onSubscribe(renewableOf(subscription));
  return (
    <section
      aria-label="Subscriptions ending soon"
      className={
        'mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-md border border-warn ' +
        'bg-surface-raised py-2 pr-2 pl-4 text-sm lg:mb-6'
      }
    >
      <p className="min-w-60 flex-1 py-1 tabular-nums wrap-anywhere">
        Your subscription to <bdi className="font-medium">{name}</bdi> {describeEnd(first)}
        {others.length > 0 && <span className="text-text-muted"> {describeOthers(others.length)}</span>}
      </p>
      {isPaying(subscription.callerId) && <PaymentInProgress size="sm" to={name} onOpen={renew} />}
      {subscription.canBeSubscribed && !isPaying(subscription.callerId) && (
        <Button size="sm" aria-label={`Renew ${name}`} onClick={renew}>
          Renew
        </Button>
      )}
    </section>
  );
}

function describeEnd({ end }: FollowedCaller): string {
  if (end === null) return '';
  return end.warning === null ? `ended on ${end.when}.` : `${end.warning.toLowerCase()}, on ${end.when}.`;
}

function describeOthers(count: number): string {
  if (count === 1) return '1 more subscription ends soon or ended recently.';
  return `${count.toLocaleString('en-US')} more subscriptions end soon or ended recently.`;
}
