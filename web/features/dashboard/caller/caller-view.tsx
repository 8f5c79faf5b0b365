import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { TokenCall } from '#schema/contracts/calls.ts';
import type { CurrentUser } from '#schema/contracts/users.ts';
import { SKELETON_ROWS } from '#schema/constants/web.ts';
import type { ListedTransaction, WalletTransaction } from '#schema/contracts/wallets.ts';
import { pickRecentBuys } from '#schema/rules/calls/recent-buys.ts';
import { pluralize } from '#schema/rules/text/format.ts';
import { formatTokenAmount } from '#schema/rules/text/format-amounts.ts';
import { activeCallsQuery, callerHistoryQuery } from '#web/api/calls.queries.ts';
import { classNames } from '#web/ui/class-names.ts';
import { ListState } from '#web/lib/page/list-state.tsx';
import { Card } from '#web/ui/lists/card.tsx';
import { onlyEnded } from '#web/lib/calls/ended-call.ts';
import { walletsQuery, walletTransactionsQuery } from '#web/api/wallets.queries.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { RelativeTime } from '#web/ui/figures/relative-time.tsx';
import { EmptyState } from '#web/ui/lists/empty-state.tsx';
import { TokenRow } from '#web/ui/lists/token-row.tsx';
import { ActiveCallsCard } from './active-calls-card.tsx';
import { BalancesCard } from '../follower/balances-card.tsx';
import { CallerProfileCard } from './caller-profile-card.tsx';
import { DeliveriesCard } from './deliveries-card.tsx';
import { MakeCallCard } from './make-call-card.tsx';
import { PayoutWalletCard } from './payout-wallet-card.tsx';
import { SubscribersCard } from './subscribers-card.tsx';
import { TelegramChatsCard } from './telegram-chats-card.tsx';
import { ApiKeysCard } from '../account/api-keys-card.tsx';
import { WebhookCard } from '../account/webhook-card.tsx';
import { SessionsCard } from '../account/sessions-card.tsx';
import { YourDataCard } from '../account/your-data-card.tsx';
import { CallRows } from './call-rows.tsx';
import { findActiveCall } from './token-lookup.ts';

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
      <SubscribersCard callerId={user.id} />
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

interface CallHistoryCardProps {
  callerId: string;
  renderShare: (call: TokenCall) => ReactNode;
}

export function CallHistoryCard({ callerId, renderShare }: CallHistoryCardProps) {
  const query = useQuery({ ...callerHistoryQuery(callerId), select: onlyEnded });
  return (
    <Card title="Call History" isFlush>
      <ListState
        query={query}
        what="call history"
        skeletons={SKELETON_ROWS.history}
        empty={{ title: 'No call history available', description: 'A call appears here after you end it.' }}
      >
        {(calls) => <CallRows label="Call History" calls={calls} isOwn renderAction={renderShare} />}
      </ListState>
    </Card>
  );
}

interface RecentBuysCardProps {
  activeCalls: readonly TokenCall[] | undefined;
  onCall: (mint: string) => void;
  onConnectWallet: () => void;
}

function RecentBuysCard({ activeCalls, onCall, onConnectWallet }: RecentBuysCardProps) {
  const wallets = useQuery(walletsQuery);
  const hasProvenWallet = wallets.data?.some(({ isProven }) => isProven) ?? false;
  return (
    <Card title="Your Recent Buys" isFlush>
      <ListState query={wallets} what="recent buys">
        {() =>
          hasProvenWallet ? (
            <>
              <RecentBuys activeCalls={activeCalls} onCall={onCall} />
              <UnreadableNote />
            </>
          ) : (
            <EmptyState
              title="No wallet connected"
              description="Verify a wallet to see the tokens you buy with it here, ready to call. Only you see them."
              action={<Button onClick={onConnectWallet}>Verify a wallet</Button>}
            />
          )
        }
      </ListState>
    </Card>
  );
}

function RecentBuys({ activeCalls, onCall }: Omit<RecentBuysCardProps, 'onConnectWallet'>) {
  const query = useQuery({ ...walletTransactionsQuery, select: pickRecentBuys });
  const renderAction = ({ tokenMint, tokenSymbol }: WalletTransaction) =>
    findActiveCall(activeCalls, { mint: tokenMint, symbol: tokenSymbol }) === null ? (
      <Button size="sm" aria-label={`Call ${tokenSymbol}`} onClick={() => onCall(tokenMint)}>
        Call
      </Button>
    ) : (
      <Button size="sm" disabled aria-label={`Already Called ${tokenSymbol}`}>
        Already Called
      </Button>
    );
  return (
    <ListState
      query={query}
      what="recent buys"
      empty={{
        title: 'No recent buys',
        description: 'Tokens you buy with a verified wallet appear here, ready to call. Only you see them.',
      }}
    >
      {(buys) => (
        <ul aria-label="Your Recent Buys" className="divide-y divide-line">
          {buys.map((buy) => (
            <TokenRow
              key={`${buy.signature} ${buy.tokenMint}`}
              token={buy}
              note={
                <>
                  <span className="figures">
                    {formatTokenAmount(buy.amount)} {buy.tokenSymbol}
                  </span>
                  <RelativeTime at={buy.timestamp} />
                </>
              }
              action={renderAction(buy)}
            />
          ))}
        </ul>
      )}
    </ListState>
  );
}

function UnreadableNote() {
  const { data: unreadable = 0 } = useQuery({ ...walletTransactionsQuery, select: countUnreadable });
  if (unreadable === 0) return null;
  return (
    <p className="px-4 py-3 text-xs text-text-muted">
      {`${pluralize(unreadable, 'transaction')} can’t be read yet. Buys among them are missing here.`}
    </p>
  );
}

const countUnreadable = (transactions: readonly ListedTransaction[]) =>
  transactions.filter(({ transactionType }) => transactionType === 'unreadable').length;
