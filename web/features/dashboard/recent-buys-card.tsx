import { useQuery } from '@tanstack/react-query';
import { SKELETONS } from '#schema/constants.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import type { WalletTransaction } from '#schema/contracts/wallets.ts';
import { pickRecentBuys } from '#schema/rules/recent-buys.ts';
import { walletsQuery, walletTransactionsQuery } from '#web/api/wallets.queries.ts';
import { Button } from '#web/ui/button.tsx';
import { BuyRows } from '#web/ui/buy-rows.tsx';
import { Card } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ListState } from '#web/lib/list-state.tsx';
import { findActiveCall } from './token-lookup.ts';

export interface RecentBuysCardProps {
  activeCalls: readonly TokenCall[] | undefined;
  /** A token is to be called: look it up. */
  onCall: (mint: string) => void;
  onConnectWallet: () => void;
}

/** What the caller's proven wallets bought lately, each ready to be called. */
export function RecentBuysCard({ activeCalls, onCall, onConnectWallet }: RecentBuysCardProps) {
  const wallets = useQuery(walletsQuery);
  const hasProvenWallet = wallets.data?.some(({ isProven }) => isProven) ?? false;
  const transactions = useQuery({ ...walletTransactionsQuery, enabled: hasProvenWallet });
  return (
    <Card title="Your Recent Buys" isFlush>
      <ListState query={wallets} what="recent buys" skeletons={SKELETONS.activeCalls}>
        {() =>
          hasProvenWallet ? (
            <ListState query={transactions} what="recent buys" skeletons={SKELETONS.activeCalls}>
              {(rows) => <RecentBuys buys={pickRecentBuys(rows)} activeCalls={activeCalls} onCall={onCall} />}
            </ListState>
          ) : (
            <EmptyState
              title="No wallet to read"
              description="Prove a wallet as yours, and what you buy with it appears here, ready to be called. Only you see it."
              action={<Button onClick={onConnectWallet}>Connect a wallet</Button>}
            />
          )
        }
      </ListState>
    </Card>
  );
}

function RecentBuys({
  buys,
  activeCalls,
  onCall,
}: Omit<RecentBuysCardProps, 'onConnectWallet'> & { buys: readonly WalletTransaction[] }) {
  if (buys.length === 0) {
    return (
      <EmptyState
        title="No recent buys"
        description="A token that you buy with a connected wallet appears here, ready to be called. Only you see it."
      />
    );
  }
  return (
    <BuyRows
      label="Your Recent Buys"
      buys={buys}
      renderAction={({ tokenMint, tokenSymbol }) =>
        findActiveCall(activeCalls, { mint: tokenMint, symbol: tokenSymbol }) === null ? (
          <Button size="sm" aria-label={`Call ${tokenSymbol}`} onClick={() => onCall(tokenMint)}>
            Call
          </Button>
        ) : (
          <Button size="sm" disabled aria-label={`Already Called ${tokenSymbol}`}>
            Already Called
          </Button>
        )
      }
    />
  );
}
