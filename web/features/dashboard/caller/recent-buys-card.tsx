import { useQuery } from '@tanstack/react-query';
import type { TokenCall } from '#schema/contracts/calls.ts';
import type { WalletTransaction } from '#schema/contracts/wallets.ts';
import { pickRecentBuys } from '#schema/rules/calls/recent-buys.ts';
import { walletsQuery, walletTransactionsQuery } from '#web/api/wallets.queries.ts';
import { ListState } from '#web/lib/page/list-state.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { BuyRows } from '#web/ui/lists/buy-rows.tsx';
import { Card } from '#web/ui/lists/card.tsx';
import { EmptyState } from '#web/ui/lists/empty-state.tsx';
import { findActiveCall } from './token-lookup.ts';

export interface RecentBuysCardProps {
  activeCalls: readonly TokenCall[] | undefined;
  onCall: (mint: string) => void;
  onConnectWallet: () => void;
}

export function RecentBuysCard({ activeCalls, onCall, onConnectWallet }: RecentBuysCardProps) {
  const wallets = useQuery(walletsQuery);
  const hasProvenWallet = wallets.data?.some(({ isProven }) => isProven) ?? false;
  return (
    <Card title="Your Recent Buys" isFlush>
      <ListState query={wallets} what="recent buys">
        {() =>
          hasProvenWallet ? (
            <RecentBuys activeCalls={activeCalls} onCall={onCall} />
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
      {(buys) => <BuyRows label="Your Recent Buys" buys={buys} renderAction={renderAction} />}
    </ListState>
  );
}
