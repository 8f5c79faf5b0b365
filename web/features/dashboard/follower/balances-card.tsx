import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import type { TokenCall } from '#schema/contracts/calls.ts';
import type { TokenBalance, WalletBalance } from '#schema/contracts/wallets.ts';
import { sumBalances } from '#schema/rules/money/balances.ts';
import { isNft } from '#schema/rules/calls/buys.ts';
import { isSolOrStableCoin } from '#schema/rules/calls/stable-coin-mints.ts';
import { formatSolBalance, formatTokenAmount } from '#schema/rules/text/format-amounts.ts';
import { formatSol } from '#schema/rules/money/lamports.ts';
import { formatUnits } from '#schema/rules/money/units.ts';
import solana from '#web/lib/logos/solana.svg?no-inline';
import { walletBalancesQuery, walletsQuery } from '#web/api/wallets.queries.ts';
import { ListState } from '#web/lib/page/list-state.tsx';
import { SolUsd } from '#web/lib/money/sol-usd.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { buttonClassName } from '#web/ui/controls/button-class-name.ts';
import { Card } from '#web/ui/lists/card.tsx';
import { TokenRow } from '#web/ui/lists/token-row.tsx';
import { findActiveCall } from '../caller/token-lookup.ts';

/** Wallets collect airdropped spam, so the other tokens are shown on request. */
const SHOWN = 5;
const SKELETON_ROWS = 2;

type ActiveCalls = readonly TokenCall[] | undefined;

export interface BalancesCardProps {
  /** True if the account has a payout wallet. Used until the wallets have loaded. */
  hasPayout: boolean;
  activeCalls: ActiveCalls;
}

export function BalancesCard({ hasPayout, activeCalls }: BalancesCardProps) {
  const wallets = useQuery(walletsQuery);
  const hasProvenWallet = wallets.data?.some(({ isProven }) => isProven);
  const balances = useQuery({ ...walletBalancesQuery, enabled: hasProvenWallet ?? false });
  // If the wallets failed to load, the payout wallet card shows the error.
  if (!(hasProvenWallet ?? (hasPayout && !wallets.isError))) return null;
  return (
    <Card title="Your Balances" isFlush>
      <ListState query={balances} what="your balances" skeletons={SKELETON_ROWS}>
        {(rows) => <Balances balances={rows} activeCalls={activeCalls} />}
      </ListState>
    </Card>
  );
}

type BalancesProps = { balances: readonly WalletBalance[]; activeCalls: ActiveCalls };

function Balances({ balances, activeCalls }: BalancesProps) {
  const [showsAll, setShowsAll] = useState(false);
  const listRef = useRef<HTMLUListElement>(null);
  const { lamports, tokens } = sumBalances(balances);
  // If only one token would be hidden, shows it instead of the button, because both have the same height.
  const shown = showsAll || tokens.length === SHOWN + 1 ? tokens : tokens.slice(0, SHOWN);
  const showAll = () => {
    setShowsAll(true);
    // The focused button disappears, so move the focus to the list.
    listRef.current?.focus();
  };
  return (
    <>
      <ul
        ref={listRef}
        tabIndex={-1}
        aria-label="Your Balances"
        className="divide-y divide-line outline-none"
      >
        <TokenRow
          token={SOLANA}
          note={
            <span className="figures">
              {formatSolBalance(formatSol(lamports))} SOL
              <SolUsd sol={formatSol(lamports)} isInline />
            </span>
          }
        />
        {shown.map((token) => (
          <TokenRow
            key={token.tokenMint}
            token={token}
            note={
              <span className="figures truncate">
                {formatTokenAmount(formatUnits(token.sum, token.decimals))} {token.tokenSymbol}
              </span>
            }
            action={<CallLink token={token} activeCalls={activeCalls} />}
          />
        ))}
      </ul>
      {tokens.length === 0 && (
        <p className="border-t border-line px-4 py-3 text-sm text-text-muted">
          No tokens yet. Tokens you buy appear here.
        </p>
      )}
      {tokens.length > shown.length && (
        <div className="border-t border-line px-2 py-1">
          <Button variant="ghost" size="sm" className="w-full" onClick={showAll}>
            Show all {tokens.length} tokens
          </Button>
        </div>
      )}
    </>
  );
}

const SOLANA = { tokenName: 'Solana', tokenSymbol: 'SOL', logoURI: solana };

type CallLinkProps = { token: TokenBalance & { readonly sum: bigint }; activeCalls: ActiveCalls };

function CallLink({ token: { tokenMint, tokenSymbol, sum, decimals }, activeCalls }: CallLinkProps) {
  if (isSolOrStableCoin(tokenMint) || isNft({ amount: sum, decimals })) return null;
  if (findActiveCall(activeCalls, { mint: tokenMint, symbol: tokenSymbol }) !== null) {
    return <span className="px-3 text-xs text-text-muted">Already Called</span>;
  }
  return (
    <Link
      to="/dashboard"
      search={{ token: tokenMint }}
      className={buttonClassName({ variant: 'ghost', size: 'sm' })}
      aria-label={`Call ${tokenSymbol}`}
    >
      Call
    </Link>
  );
}
