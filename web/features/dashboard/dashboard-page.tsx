import { SegmentedToggle } from '#web/ui/controls/segmented-toggle.tsx';
import { CallerView, type CallerViewProps } from './caller/caller-view.tsx';
import { SubscriberView, type SubscriberViewProps } from './follower/subscriber-view.tsx';
import { NextStep } from './next-step.tsx';

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
    <div className="desk min-h-dvh py-6">
      <header className="mb-4 flex flex-wrap items-center justify-between gap-4">
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
      <NextStep user={user} onSubscribe={onSubscribe} isPaying={isPaying} />
      {view === 'caller' ? <CallerView {...props} /> : <SubscriberView {...props} />}
    </div>
  );
}
