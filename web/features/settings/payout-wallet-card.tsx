import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { CurrentUser } from '#schema/contracts/users.ts';
import { walletBalancesQuery, walletsQuery } from '#web/api/wallets.queries.ts';
import { lazyDialog } from '#web/lib/page/lazy-dialog.tsx';
import { LoadFailed } from '#web/lib/page/load-failed.tsx';
import { ConnectedWallet } from '#web/lib/wallets/connected-wallet.tsx';
import { useWallet } from '#web/lib/wallets/use-wallet.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Card } from '#web/ui/lists/card.tsx';
import { PayoutChanges } from './payout-changes.tsx';
import { PAYOUT_WALLET_ANCHOR, WalletRow } from './wallet-row.tsx';

const ConnectWalletDialog = lazyDialog(
  async () => (await import('./connect-wallet-dialog.tsx')).ConnectWalletDialog,
);

export function PayoutWalletCard({ user }: { user: CurrentUser }) {
  const [isConnecting, setIsConnecting] = useState(false);
  const connect = () => setIsConnecting(true);
  const { connected } = useWallet();
  const query = useQuery(walletsQuery);
  const { data: wallets = [] } = query;
  const { data: balances } = useQuery({
    ...walletBalancesQuery,
    enabled: wallets.some(({ isProven }) => isProven),
  });
  // While the wallets load, the account tells whether there is a payout wallet.
  const hasPayout = query.data ? wallets.some(({ isPayout }) => isPayout) : user.walletAddress !== null;
  const isFree = user.monthlyFee === null;
  const isNeeded = !isFree && !hasPayout;
  return (
    <Card title="Payout Wallet" id={PAYOUT_WALLET_ANCHOR}>
      {isNeeded && (
        <p role="alert" className="mb-4 rounded-md bg-warn-soft p-3 text-sm text-warn">
          You charge a fee but have no payout wallet, so nobody can subscribe to you yet. Connect one.
        </p>
      )}
      {isFree && !hasPayout && (
        <p className="mb-4 text-sm text-text-muted">
          Your calls are free, so no wallet is needed. Connect one before you charge a fee.
        </p>
      )}
      {query.isError && !query.data && <LoadFailed what="your wallets" query={query} />}
      {wallets.length > 0 && (
        <ul aria-label="Saved wallets" className="mb-4 divide-y divide-line">
          {wallets.map((wallet) => (
            <WalletRow
              key={wallet.id}
              wallet={wallet}
              sol={balances?.find(({ walletAddress }) => walletAddress === wallet.walletAddress)?.sol}
              monthlyFee={user.monthlyFee}
              onProve={connect}
            />
          ))}
        </ul>
      )}
      <PayoutChanges />
      {connected && (
        <div className="mb-4 space-y-2">
          <h3 className="text-xs text-text-muted">Connected in this browser</h3>
          <ConnectedWallet />
        </div>
      )}
      <Button variant={isNeeded ? 'primary' : 'secondary'} className="w-full" onClick={connect}>
        {wallets.length > 0 ? 'Connect another wallet' : 'Connect Wallet'}
      </Button>
      <ConnectWalletDialog open={isConnecting} onOpenChange={setIsConnecting} />
    </Card>
  );
}
