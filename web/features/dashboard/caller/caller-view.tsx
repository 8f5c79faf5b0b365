import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { TokenCall } from '#schema/contracts/calls.ts';
import type { CurrentUser } from '#schema/contracts/users.ts';
import { activeCallsQuery } from '#web/api/calls.queries.ts';
import { classNames } from '#web/ui/class-names.ts';
import { ActiveCallsCard } from './active-calls-card.tsx';
import { BalancesCard } from '../follower/balances-card.tsx';
import { CallHistoryCard } from './call-history-card.tsx';
import { CallerProfileCard } from './caller-profile-card.tsx';
import { DeliveriesCard } from './deliveries-card.tsx';
import { MakeCallCard } from './make-call-card.tsx';
import { PayoutWalletCard } from './payout-wallet-card.tsx';
import { RecentBuysCard } from './recent-buys-card.tsx';
import { TelegramChatsCard } from './telegram-chats-card.tsx';
import { ApiKeysCard } from '../account/api-keys-card.tsx';
import { WebhookCard } from '../account/webhook-card.tsx';
import { SessionsCard } from '../account/sessions-card.tsx';
import { YourDataCard } from '../account/your-data-card.tsx';

export interface CallerViewProps {
  user: CurrentUser;
  token: string | undefined;
  onConnectWallet: () => void;
  renderShare: (call: TokenCall) => ReactNode;
}

export function CallerView({ user, token, onConnectWallet, renderShare }: CallerViewProps) {
  const activeCalls = useQuery(activeCallsQuery(user.id));
  /** The picked mint plus a counter. Because of the counter, picking the same token twice looks it up again. */
  const [picked, setPicked] = useState<{ mint: string; count: number } | null>(null);
  const makeCallRef = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (picked === null) return;
    makeCallRef.current?.focus({ preventScroll: true });
    makeCallRef.current?.scrollIntoView({ block: 'start' });
  }, [picked]);
  return (
    // On phones, the most used cards come first. On desktops, the side cards form a second column.
    <div
      className={classNames(
        'grid items-start gap-4 *:min-w-0 lg:gap-6',
        'lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)] lg:grid-rows-[auto_auto_auto_1fr]',
      )}
    >
      <div
        ref={makeCallRef}
        tabIndex={-1}
        role="group"
        aria-label="Make a Token Call"
        className="outline-none"
      >
        <MakeCallCard
          key={picked?.count}
          callerId={user.id}
          token={picked?.mint ?? token}
          activeCalls={activeCalls.data}
        />
      </div>
      <ActiveCallsCard query={activeCalls} />
      <RecentBuysCard
        activeCalls={activeCalls.data}
        onCall={(mint) => setPicked({ mint, count: (picked?.count ?? 0) + 1 })}
        onConnectWallet={onConnectWallet}
      />
      <div className="grid gap-4 *:min-w-0 lg:col-start-2 lg:row-span-4 lg:row-start-1 lg:gap-6">
        <CallerProfileCard user={user} />
        <PayoutWalletCard user={user} onConnectWallet={onConnectWallet} />
        <BalancesCard hasPayout={user.walletAddress !== null} activeCalls={activeCalls.data} />
        <TelegramChatsCard user={user} />
        <DeliveriesCard />
        <SessionsCard />
        <ApiKeysCard isCaller />
        <WebhookCard />
        <YourDataCard user={user} />
      </div>
      <CallHistoryCard callerId={user.id} renderShare={renderShare} />
    </div>
  );
}
