import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useRef, useState, type ReactNode } from 'react';
import type { TokenCall } from '#schema/contracts/calls.ts';
import type { TokenBalance, WalletBalance } from '#schema/contracts/wallets.ts';
import { sumBalances } from '#schema/rules/balances.ts';
import { isMoney, isNft } from '#schema/rules/buys.ts';
import { formatSolBalance, formatTokenAmount } from '#schema/rules/format.ts';
import { formatSol } from '#schema/rules/lamports.ts';
import { formatUnits } from '#schema/rules/units.ts';
import { walletBalancesQuery, walletsQuery } from '#web/api/wallets.queries.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { Button } from '#web/ui/button.tsx';
import { buttonClassName } from '#web/ui/button-class-name.ts';
import { Card } from '#web/ui/card.tsx';
import { TokenName } from '#web/ui/token-name.tsx';
import { ListState } from '#web/lib/list-state.tsx';
import { findActiveCall } from './token-lookup.ts';

/** Wallets are sent more than anybody asked for: the rest is shown when it is wanted. */
const SHOWN = 5;
const SKELETONS = 2;

export interface BalancesCardProps {
  /** Whether there is a proven wallet, as far as the account knows it before the wallets are there. */
  hasPayout: boolean;
  activeCalls: readonly TokenCall[] | undefined;
}

/** What the caller's proven wallets hold together, each token ready to be called. Without a wallet there is nothing to show. */
export function BalancesCard({ hasPayout, activeCalls }: BalancesCardProps) {
  const wallets = useQuery(walletsQuery);
  const hasProvenWallet = wallets.data?.some(({ isProven }) => isProven);
  const balances = useQuery({ ...walletBalancesQuery, enabled: hasProvenWallet ?? false });
  // Why the wallets are not there, the card of wallets says.
  if (!(hasProvenWallet ?? (hasPayout && !wallets.isError))) return null;
  return (
    <Card title="Your Balances" isFlush>
      <ListState query={balances} what="your balances" skeletons={SKELETONS}>
        {(rows) => <Balances balances={rows} activeCalls={activeCalls} />}
      </ListState>
    </Card>
  );
}

function Balances({
  balances,
  activeCalls,
}: {
  balances: readonly WalletBalance[];
  activeCalls: readonly TokenCall[] | undefined;
}) {
  const [isWhole, setIsWhole] = useState(false);
  const listRef = useRef<HTMLUListElement>(null);
  const { lamports, tokens } = sumBalances(balances);
  // The button would take as much room as the one token it hides.
  const shown = isWhole || tokens.length === SHOWN + 1 ? tokens : tokens.slice(0, SHOWN);
  const showAll = () => {
    setIsWhole(true);
    // The button is gone with what it hid.
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
        <BalanceRow
          name="Solana"
          symbol="SOL"
          logoURI={null}
          amount={`${formatSolBalance(formatSol(lamports))} SOL`}
        />
        {shown.map((token) => (
          <BalanceRow
            key={token.tokenMint}
            name={token.tokenName}
            symbol={token.tokenSymbol}
            logoURI={token.logoURI}
            amount={`${formatTokenAmount(formatUnits(token.sum, token.decimals))} ${token.tokenSymbol}`}
            action={
              !isMoney(token.tokenMint) &&
              !isNft({ amount: token.sum, decimals: token.decimals }) && (
                <CallLink token={token} activeCalls={activeCalls} />
              )
            }
          />
        ))}
      </ul>
      {tokens.length === 0 && (
        <p className="border-t border-line px-4 py-3 text-sm text-text-muted">
          No tokens yet. What you buy appears here.
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

function BalanceRow({
  name,
  symbol,
  logoURI,
  amount,
  action,
}: {
  name: string;
  symbol: string;
  logoURI: string | null;
  amount: string;
  action?: ReactNode;
}) {
  return (
    <li className="grid min-h-14 grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3 px-4 py-2">
      <Avatar src={logoURI} letter={symbol} size="sm" shape="token" />
      <div className="min-w-0">
        <TokenName name={name} symbol={symbol} />
        <p className="figures truncate text-xs text-text-muted">{amount}</p>
      </div>
      {action}
    </li>
  );
}

function CallLink({
  token: { tokenMint, tokenSymbol },
  activeCalls,
}: {
  token: TokenBalance;
  activeCalls: readonly TokenCall[] | undefined;
}) {
  if (findActiveCall(activeCalls, { mint: tokenMint, symbol: tokenSymbol }) !== null) {
    return <span className="px-3 text-xs text-text-muted">Called</span>;
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
