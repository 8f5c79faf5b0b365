import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { TokenCall } from '#schema/contracts/calls.ts';
import type { CurrentUser } from '#schema/contracts/users.ts';
import { activeCallsQuery } from '#web/api/calls.queries.ts';
import { ActiveCallsCard } from './active-calls-card.tsx';
import { BalancesCard } from './balances-card.tsx';
import { CallHistoryCard } from './call-history-card.tsx';
import { CallerProfileCard } from './caller-profile-card.tsx';
import { DeliveriesCard } from './deliveries-card.tsx';
import { MakeCallCard } from './make-call-card.tsx';
import { PayoutWalletCard } from './payout-wallet-card.tsx';
import { RecentBuysCard } from './recent-buys-card.tsx';

export interface CallerViewProps {
  user: CurrentUser;
  token: string | undefined;
  onConnectWallet: () => void;
  /** How an ended call is shared. */
  renderShare: (call: TokenCall) => ReactNode;
}

/** The caller's side: make calls, end them, see what they came to. */
export function CallerView({ user, token, onConnectWallet, renderShare }: CallerViewProps) {
  const activeCalls = useQuery(activeCallsQuery(user.id));
  /** What was picked from the buys, the how-manieth time: the same token may be picked again. */
  const [picked, setPicked] = useState<{ mint: string; time: number } | null>(null);
  const makeCallRef = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (picked === null) return;
    makeCallRef.current?.focus({ preventScroll: true });
    makeCallRef.current?.scrollIntoView({ block: 'start' });
  }, [picked]);
  return (
    // On a phone in the order of what one comes for; on a desk the side cards stand beside the calls.
    <div className="grid items-start gap-4 *:min-w-0 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)] lg:grid-rows-[auto_auto_auto_1fr] lg:gap-6">
      <div
        ref={makeCallRef}
        tabIndex={-1}
        role="group"
        aria-label="Make a Token Call"
        className="outline-none"
      >
        <MakeCallCard
          key={picked?.time}
          callerId={user.id}
          token={picked?.mint ?? token}
          activeCalls={activeCalls.data}
        />
      </div>
      <ActiveCallsCard query={activeCalls} />
      <RecentBuysCard
        activeCalls={activeCalls.data}
        onCall={(mint) => setPicked({ mint, time: (picked?.time ?? 0) + 1 })}
        onConnectWallet={onConnectWallet}
      />
      <div className="grid gap-4 *:min-w-0 lg:col-start-2 lg:row-span-4 lg:row-start-1 lg:gap-6">
        <CallerProfileCard user={user} />
        <PayoutWalletCard user={user} onConnectWallet={onConnectWallet} />
        <BalancesCard hasPayout={user.walletAddress !== null} activeCalls={activeCalls.data} />
        <DeliveriesCard />
      </div>
      <CallHistoryCard callerId={user.id} renderShare={renderShare} />
    </div>
  );
}
