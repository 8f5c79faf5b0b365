import { useQuery } from '@tanstack/react-query';
import type { CurrentUser } from '#schema/contracts/users.ts';
import { activeCallsQuery } from '#web/api/calls.queries.ts';
import { ActiveCallsCard } from './active-calls-card.tsx';
import { CallHistoryCard } from './call-history-card.tsx';
import { CallerProfileCard } from './caller-profile-card.tsx';
import { MakeCallCard } from './make-call-card.tsx';
import { PayoutWalletCard } from './payout-wallet-card.tsx';

export interface CallerViewProps {
  user: CurrentUser;
  token: string | undefined;
  onConnectWallet: () => void;
}

/** The caller's side: make calls, end them, see what they came to. */
export function CallerView({ user, token, onConnectWallet }: CallerViewProps) {
  const activeCalls = useQuery(activeCallsQuery(user.id));
  return (
    // On a phone in the order of what one comes for; on a desk the two side cards stand beside the calls.
    <div className="grid items-start gap-4 *:min-w-0 lg:grid-cols-[2fr_1fr] lg:grid-rows-[auto_auto_1fr] lg:gap-6">
      <MakeCallCard callerId={user.id} token={token} activeCalls={activeCalls.data} />
      <ActiveCallsCard query={activeCalls} />
      <div className="grid gap-4 *:min-w-0 lg:col-start-2 lg:row-span-3 lg:row-start-1 lg:gap-6">
        <CallerProfileCard user={user} />
        <PayoutWalletCard user={user} onConnectWallet={onConnectWallet} />
      </div>
      <CallHistoryCard callerId={user.id} />
    </div>
  );
}
