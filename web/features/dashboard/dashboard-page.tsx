import type { ReactNode } from 'react';
import type { CallerSummary } from '#schema/contracts/callers.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import type { CurrentUser } from '#schema/contracts/users.ts';
import { SegmentedToggle } from '#web/ui/segmented-toggle.tsx';
import { CallerView } from './caller-view.tsx';
import { EndingNotice } from './ending-notice.tsx';
import type { RenewableCaller } from './my-subscriptions.ts';
import { SubscriberView } from './subscriber-view.tsx';

export interface DashboardPageProps {
  user: CurrentUser;
  token: string | undefined;
  /** Undefined is the default: the caller view for callers. */
  view: DashboardView | undefined;
  onViewChange: (view: DashboardView | undefined) => void;
  notifications: ReactNode;
  renderMute: (caller: CallerSummary) => ReactNode;
  onBecomeCaller: () => void;
  onConnectWallet: () => void;
  onSubscribe: (caller: RenewableCaller) => void;
  renderShare: (call: TokenCall) => ReactNode;
}

export type DashboardView = 'subscriber' | 'caller';

const VIEWS = [
  { value: 'subscriber', label: 'Subscriber' },
  { value: 'caller', label: 'Caller' },
] as const;

export function DashboardPage({
  user,
  token,
  view: chosen,
  onViewChange,
  notifications,
  renderMute,
  onBecomeCaller,
  onConnectWallet,
  onSubscribe,
  renderShare,
}: DashboardPageProps) {
  const view = user.isCaller ? (chosen ?? 'caller') : 'subscriber';
  return (
    <div className="desk py-6 md:py-10">
      <header className="mb-6 flex flex-wrap items-center justify-between gap-4">
        <h1 className="text-xl font-semibold tracking-tight md:text-2xl">
          {view === 'caller' ? 'Caller Dashboard' : `Welcome, ${user.firstName || 'Trader'}!`}
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
      <EndingNotice onSubscribe={onSubscribe} />
      {view === 'caller' ? (
        <CallerView user={user} token={token} onConnectWallet={onConnectWallet} renderShare={renderShare} />
      ) : (
        <SubscriberView
          user={user}
          notifications={notifications}
          renderMute={renderMute}
          onBecomeCaller={onBecomeCaller}
          onSubscribe={onSubscribe}
        />
      )}
    </div>
  );
}
