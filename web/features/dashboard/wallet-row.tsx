import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { SavedWallet } from '#schema/contracts/wallets.ts';
import { formatSolBalance } from '#schema/rules/format.ts';
import { ApiError, hasCode, reasonOf } from '#web/api/api-error.ts';
import { updateCallerProfileMutation } from '#web/api/users.queries.ts';
import { payoutChangesQuery, removeWalletMutation, walletsQuery } from '#web/api/wallets.queries.ts';
import { Address } from '#web/ui/address.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { SignInAgain } from './sign-in-again.tsx';

export interface WalletRowProps {
  wallet: SavedWallet;
  /** What it holds, as a decimal string; unknown for an unproven one. */
  sol: string | undefined;
  /** Of the caller, as a decimal string in SOL; null is Free. */
  monthlyFee: string | null;
  onProve: () => void;
}

/** A saved wallet with what can be done with it. */
export function WalletRow({ wallet, sol, monthlyFee, onProve }: WalletRowProps) {
  const queryClient = useQueryClient();
  const { toast } = useToast();
  const removeWallet = useMutation(removeWalletMutation(queryClient));
  const updateProfile = useMutation(updateCallerProfileMutation(queryClient));
  /** What the dialog says stays while it closes. */
  const [asked, setAsked] = useState<'remove' | 'sign-in'>('remove');
  const [isAsking, setIsAsking] = useState(false);
  const ask = (what: typeof asked) => {
    setAsked(what);
    setIsAsking(true);
  };

  const remove = async () => {
    try {
      await removeWallet.mutateAsync(wallet.id);
      setIsAsking(false);
      toast({ title: 'Wallet Removed' });
    } catch (error) {
      if (hasCode(error, 'auth.fresh_sign_in_needed')) ask('sign-in');
      // Being signed out is told elsewhere.
      else if (!isAboutSignIn(error)) {
        toast({
          title: 'Error',
          description: reasonOf(error, 'Failed to remove wallet'),
          variant: 'destructive',
        });
      }
    }
  };
  const makePayout = async () => {
    try {
      await updateProfile.mutateAsync({ walletAddress: wallet.walletAddress });
      await Promise.all(
        [walletsQuery, payoutChangesQuery].map(({ queryKey }) => queryClient.invalidateQueries({ queryKey })),
      );
      toast({ title: 'Payout Wallet Changed', description: 'New payments go to this wallet.' });
    } catch (error) {
      if (hasCode(error, 'auth.fresh_sign_in_needed')) ask('sign-in');
      else {
        toast({
          title: 'Error',
          description: reasonOf(error, 'Failed to change the payout wallet'),
          variant: 'destructive',
        });
      }
    }
  };

  return (
    <li className="flex flex-wrap items-center justify-between gap-x-3 py-1">
      <div>
        <span className="flex items-center gap-2">
          <Address value={wallet.walletAddress} label="wallet address" />
          {wallet.isPayout ? (
            <Badge tone="gain">Payout</Badge>
          ) : (
            !wallet.isProven && <Badge tone="warn">Unproven</Badge>
          )}
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
          <Button
            variant="ghost"
            size="sm"
            isPending={updateProfile.isPending}
            onClick={() => void makePayout()}
          >
            Pay me here
          </Button>
        )}
        <Button
          variant="ghost"
          size="sm"
          isPending={removeWallet.isPending}
          onClick={() => (wallet.isPayout ? ask('remove') : void remove())}
        >
          Remove
        </Button>
      </span>
      <Dialog
        open={isAsking}
        onOpenChange={setIsAsking}
        title={asked === 'sign-in' ? 'Sign in again' : 'Remove your payout wallet?'}
      >
        {asked === 'sign-in' ? (
          <SignInAgain onCancel={() => setIsAsking(false)} />
        ) : (
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
              <Button
                variant="destructive"
                className="flex-1"
                isPending={removeWallet.isPending}
                pendingText="Removing..."
                onClick={() => void remove()}
              >
                Remove wallet
              </Button>
              <Button className="flex-1" disabled={removeWallet.isPending} onClick={() => setIsAsking(false)}>
                Keep it
              </Button>
            </div>
          </div>
        )}
      </Dialog>
    </li>
  );
}

function isAboutSignIn(error: unknown): boolean {
  return error instanceof ApiError && /authentication|unauthorized/i.test(error.message);
}
