import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { CurrentUser } from '#schema/contracts/users.ts';
import type { SavedWallet } from '#schema/contracts/wallets.ts';
import { formatSolBalance } from '#schema/rules/format.ts';
import { ApiError, reasonOf } from '#web/api/api-error.ts';
import { updateCallerProfileMutation } from '#web/api/users.queries.ts';
import { removeWalletMutation, walletBalancesQuery, walletsQuery } from '#web/api/wallets.queries.ts';
import { Address } from '#web/ui/address.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { useToast } from '#web/ui/toast.tsx';

export interface PayoutWalletCardProps {
  user: CurrentUser;
  onConnectWallet: () => void;
}

/** Where the caller's share goes. Without a proven wallet nobody can pay them. */
export function PayoutWalletCard({ user, onConnectWallet }: PayoutWalletCardProps) {
  const query = useQuery(walletsQuery);
  const { data: wallets = [] } = query;
  const { data: balances } = useQuery({ ...walletBalancesQuery, enabled: wallets.some(({ isProven }) => isProven) });
  // Until the list is there, the account itself says whether it can be paid.
  const hasPayout = query.data ? wallets.some(({ isPayout }) => isPayout) : user.walletAddress !== null;
  const isFree = user.monthlyFee === null;
  const isNeeded = !isFree && !hasPayout;
  return (
    <Card title="Payout Wallet">
      {isNeeded ? (
        <p role="alert" className="mb-4 rounded-md bg-warn-soft p-3 text-sm text-warn">
          You charge a fee but have no wallet to be paid to, so nobody can subscribe to you yet. Connect one.
        </p>
      ) : (
        isFree && !hasPayout && <p className="mb-4 text-sm text-text-muted">You are free, so you need no wallet. Connect one before you charge.</p>
      )}
      {query.isError && !query.data && (
        <ErrorState title="Failed to load your wallets" description={reasonOf(query.error, 'There was no answer.')} onRetry={() => void query.refetch()} />
      )}
      {wallets.length > 0 && (
        <ul aria-label="Saved wallets" className="mb-4 divide-y divide-line">
          {wallets.map((wallet) => (
            <WalletRow key={wallet.id} wallet={wallet} sol={balances?.find(({ walletAddress }) => walletAddress === wallet.walletAddress)?.sol} monthlyFee={user.monthlyFee} onProve={onConnectWallet} />
          ))}
        </ul>
      )}
      <Button variant={isNeeded ? 'primary' : 'secondary'} className="w-full" onClick={onConnectWallet}>
        {wallets.length > 0 ? 'Connect another wallet' : 'Connect Wallet'}
      </Button>
    </Card>
  );
}

interface WalletRowProps {
  wallet: SavedWallet;
  /** What it holds, as a decimal string; unknown for an unproven one. */
  sol: string | undefined;
  monthlyFee: string | null;
  onProve: () => void;
}

function WalletRow({ wallet, sol, monthlyFee, onProve }: WalletRowProps) {
  const queryClient = useQueryClient();
  const { toast } = useToast();
  const removeWallet = useMutation(removeWalletMutation(queryClient));
  const updateProfile = useMutation(updateCallerProfileMutation(queryClient));

  const [isAsking, setIsAsking] = useState(false);

  const remove = async () => {
    try {
      await removeWallet.mutateAsync(wallet.id);
      setIsAsking(false);
      toast({ title: 'Wallet Removed' });
    } catch (error) {
      // Being signed out is told elsewhere.
      if (!isAboutSignIn(error)) toast({ title: 'Error', description: reasonOf(error, 'Failed to remove wallet'), variant: 'destructive' });
    }
  };
  const makePayout = async () => {
    try {
      await updateProfile.mutateAsync({ walletAddress: wallet.walletAddress });
      await queryClient.invalidateQueries({ queryKey: walletsQuery.queryKey });
      toast({ title: 'Payout Wallet Changed', description: 'New payments go to this wallet.' });
    } catch (error) {
      toast({ title: 'Error', description: reasonOf(error, 'Failed to change the payout wallet'), variant: 'destructive' });
    }
  };

  return (
    <li className="flex flex-wrap items-center justify-between gap-x-3 py-1">
      <div>
        <span className="flex items-center gap-2">
          <Address value={wallet.walletAddress} label="wallet address" />
          {wallet.isPayout ? <Badge tone="gain">Payout</Badge> : !wallet.isProven && <Badge tone="warn">Unproven</Badge>}
        </span>
        {sol !== undefined && <p className="figures text-sm font-medium">{formatSolBalance(sol)} SOL</p>}
      </div>
      <span className="flex">
        {!wallet.isProven && (
          <Button variant="ghost" size="sm" onClick={onProve}>
            Prove
          </Button>
        )}
        {wallet.isProven && !wallet.isPayout && (
          <Button variant="ghost" size="sm" isPending={updateProfile.isPending} onClick={() => void makePayout()}>
            Pay me here
          </Button>
        )}
        <Button variant="ghost" size="sm" isPending={removeWallet.isPending} onClick={() => (wallet.isPayout ? setIsAsking(true) : void remove())}>
          Remove
        </Button>
      </span>
      <Dialog open={isAsking} onOpenChange={setIsAsking} title="Remove your payout wallet?">
        <div className="space-y-4">
          <p className="text-sm">
            {monthlyFee === null
              ? 'You are free, so nobody pays you now. Before you charge again you have to connect a wallet.'
              : 'Nobody can subscribe to you or renew until you connect a wallet again. Who has paid keeps their time.'}
          </p>
          <p>
            <Address value={wallet.walletAddress} label="payout wallet address" isFull />
          </p>
          <div className="flex gap-2">
            <Button variant="destructive" className="flex-1" isPending={removeWallet.isPending} pendingText="Removing..." onClick={() => void remove()}>
              Remove wallet
            </Button>
            <Button className="flex-1" disabled={removeWallet.isPending} onClick={() => setIsAsking(false)}>
              Keep it
            </Button>
          </div>
        </div>
      </Dialog>
    </li>
  );
}

function isAboutSignIn(error: unknown): boolean {
  return error instanceof ApiError && /authentication|unauthorized/i.test(error.message);
}
