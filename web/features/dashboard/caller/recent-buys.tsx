import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { TokenCall } from '#schema/contracts/calls.ts';
import type { ListedTransaction, WalletTransaction } from '#schema/contracts/wallets.ts';
import { pickRecentBuys } from '#schema/rules/calls/recent-buys.ts';
import { pluralize } from '#schema/rules/text/format.ts';
import { formatTokenAmount } from '#schema/rules/text/format-amounts.ts';
import { walletsQuery, walletTransactionsQuery } from '#web/api/wallets.queries.ts';
import { ListState } from '#web/lib/page/list-state.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { buttonClassName } from '#web/ui/controls/button-class-name.ts';
import { RelativeTime } from '#web/ui/figures/relative-time.tsx';
import { EmptyState } from '#web/ui/lists/empty-state.tsx';
import { TokenRow } from '#web/ui/lists/token-row.tsx';
import { findActiveCall } from './token-lookup.ts';

export interface RecentBuysProps {
  activeCalls: readonly TokenCall[] | undefined;
  onCall: (mint: string) => void;
}

/** The tokens that the caller has bought, ready to be called. */
export function RecentBuys(props: RecentBuysProps) {
  const wallets = useQuery(walletsQuery);
  return (
    <ListState query={wallets} what="recent buys">
      {(saved) =>
        saved.some(({ isProven }) => isProven) ? (
          <>
            <Buys {...props} />
            <UnreadableNote />
          </>
        ) : (
          NO_WALLET
        )
      }
    </ListState>
  );
}

const NO_WALLET = (
  <EmptyState
    title="No wallet connected"
    description="Verify a wallet to see the tokens you buy with it here, ready to call. Only you see them."
    action={
      <Link to="/settings/$section" params={{ section: 'wallets' }} className={buttonClassName()}>
        Verify a wallet
      </Link>
    }
  />
);

function Buys({ activeCalls, onCall }: RecentBuysProps) {
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
        <ul aria-label="Your Recent Buys" className="-mx-3 divide-y divide-line">
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
    <p className="py-2 text-xs text-text-muted">
      {`${pluralize(unreadable, 'transaction')} can’t be read yet. Buys among them are missing here.`}
    </p>
  );
}

const countUnreadable = (transactions: readonly ListedTransaction[]) =>
  transactions.filter(({ transactionType }) => transactionType === 'unreadable').length;
