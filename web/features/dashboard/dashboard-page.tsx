import { useState } from 'react';
import type { CurrentUser } from '#schema/contracts/users.ts';
import { SegmentedToggle } from '#web/ui/segmented-toggle.tsx';
import { CallerView } from './caller-view.tsx';
import type { RenewableCaller } from './my-subscriptions-card.tsx';
import { SubscriberView } from './subscriber-view.tsx';

export interface DashboardPageProps {
  user: CurrentUser;
  /** A mint to look up at once; opens the caller view. */
  token: string | undefined;
  onBecomeCaller: () => void;
  onConnectWallet: () => void;
  onSubscribe: (caller: RenewableCaller) => void;
}

type View = 'subscriber' | 'caller';

const VIEWS = [
  { value: 'subscriber', label: 'Subscriber' },
  { value: 'caller', label: 'Caller' },
] as const;

/** The signed-in user's desk: what they follow, and for callers what they call. */
export function DashboardPage({ user, token, onBecomeCaller, onConnectWallet, onSubscribe }: DashboardPageProps) {
  const [wasCaller] = useState(user.isCaller);
  const [chosen, setChosen] = useState<View | null>(null);
  // Who follows a link to a token, or has just become a caller, wants to call.
  const initial: View = token !== undefined || !wasCaller ? 'caller' : 'subscriber';
  const view = user.isCaller ? (chosen ?? initial) : 'subscriber';
  return (
    <div className="desk py-6 md:py-10">
      <header className="mb-6 flex flex-wrap items-center justify-between gap-4">
        <h1 className="text-xl font-semibold tracking-tight md:text-2xl">
          {view === 'caller' ? 'Caller Dashboard' : `Welcome, ${user.firstName || 'Trader'}!`}
        </h1>
        {user.isCaller && <SegmentedToggle<View> label="View" value={view} onValueChange={setChosen} options={VIEWS} />}
      </header>
      {view === 'caller' ? (
        <CallerView user={user} token={token} onConnectWallet={onConnectWallet} />
      ) : (
        <SubscriberView user={user} onBecomeCaller={onBecomeCaller} onSubscribe={onSubscribe} />
      )}
    </div>
  );
}
