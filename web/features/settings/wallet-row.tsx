import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { SavedWallet } from '#schema/contracts/wallets.ts';
import { formatSolBalance } from '#schema/rules/text/format-amounts.ts';
import { ApiError, hasCode } from '#web/api/api-error.ts';
import { updateCallerProfileMutation } from '#web/api/users.queries.ts';
import { payoutChangesQuery, removeWalletMutation, walletsQuery } from '#web/api/wallets.queries.ts';
import { SolUsd } from '#web/lib/money/sol-usd.tsx';
import { toast } from '#web/ui/overlays/toast-queue.ts';
import { showError } from '#web/lib/page/show-error.ts';
import { useWallet } from '#web/lib/wallets/use-wallet.ts';
import { Address } from '#web/ui/figures/address.tsx';
import { Badge } from '#web/ui/people/badge.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { ConfirmButtons } from '#web/ui/controls/confirm-buttons.tsx';
import { FreshSignInDialog } from '#web/lib/session/sign-in-again.tsx';

export const PAYOUT_WALLET_ANCHOR = 'payout-wallet';

export interface WalletRowProps {
  wallet: SavedWallet;
  /** Balance, a decimal string in SOL; undefined if unknown or unproven. */
  sol: string | undefined;
  monthlyFee: string | null;
  onProve: () => void;
}

export function WalletRow({ wallet, sol, monthlyFee, onProve }: WalletRowProps) {
  /** Selects the dialog's content. Doesn't change while the dialog closes, so that the content stays visible. */
  const [dialog, setDialog] = useState<'remove' | 'sign-in'>('remove');
  const [isOpen, setIsOpen] = useState(false);
  const openDialog = (next: typeof dialog) => {
    setDialog(next);
    setIsOpen(true);
  };
  const close = () => setIsOpen(false);
  const { remove, isRemoving, makePayout, isMakingPayout } = useWalletActions({
    wallet,
    onRemoved: close,
    onSignInNeeded: () => openDialog('sign-in'),
  });
  const { walletAddress, isProven, isPayout } = wallet;
  const { address } = useWallet();
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-3 py-1">
      <div>
        <span className="flex flex-wrap items-center gap-2">
          <Address value={walletAddress} label="wallet address" />
          {isPayout && <Badge tone="gain">Payout</Badge>}
          {walletAddress === address && <Badge>Connected</Badge>}
          {!isPayout && !isProven && <Badge tone="warn">Unverified</Badge>}
        </span>
        {sol !== undefined && (
          <p className="text-sm tabular-nums font-medium">
            {formatSolBalance(sol)} SOL
            <SolUsd sol={sol} isInline />
          </p>
        )}
      </div>
      <span className="flex">
        {!isProven && (
          <Button variant="ghost" size="sm" onClick={onProve}>
            Verify
          </Button>
        )}
        {isProven && !isPayout && (
          <Button variant="ghost" size="sm" isPending={isMakingPayout} onClick={() => void makePayout()}>
            Use for payouts
          </Button>
        )}
        <Button
          variant="ghost"
          size="sm"
          isPending={isRemoving}
          onClick={() => (isPayout ? openDialog('remove') : void remove())}
        >
          Remove
        </Button>
      </span>
      <FreshSignInDialog
        open={isOpen}
        onOpenChange={setIsOpen}
        title="Remove your payout wallet?"
        mustSignIn={dialog === 'sign-in'}
        action="change your payout wallet"
        danger="redirect your earnings"
        anchor={PAYOUT_WALLET_ANCHOR}
      >
        <div className="space-y-4">
          <p className="text-sm">{monthlyFee === null ? FREE_WITHOUT_WALLET : PAID_WITHOUT_WALLET}</p>
          <p>
            <Address value={walletAddress} label="payout wallet address" isFull />
          </p>
          <ConfirmButtons
            confirmLabel="Remove wallet"
            pendingText="Removing..."
            isPending={isRemoving}
            onConfirm={() => void remove()}
            cancelLabel="Keep wallet"
            onCancel={close}
          />
        </div>
      </FreshSignInDialog>
    </li>
  );
}

const FREE_WITHOUT_WALLET =
  'Your calls are free, so nobody pays you now. Connect a wallet again before you charge a fee.';
const PAID_WITHOUT_WALLET =
  'Nobody can subscribe or renew until you connect a wallet again. ' +
  'Current subscribers keep access until their period ends.';

interface WalletActionsInput {
  wallet: SavedWallet;
  onRemoved: () => void;
  onSignInNeeded: () => void;
}

function useWalletActions({ wallet, onRemoved, onSignInNeeded }: WalletActionsInput) {
  const queryClient = useQueryClient();
  const removeWallet = useMutation(removeWalletMutation);
  const updateProfile = useMutation(updateCallerProfileMutation);
  const remove = async () => {
    try {
      await removeWallet.mutateAsync(wallet.id);
      onRemoved();
      toast({ title: 'Wallet Removed' });
    } catch (error) {
      if (hasCode(error, 'auth.fresh_sign_in_needed')) onSignInNeeded();
      // If the session has ended, the page shows its own notice.
      else if (!isAboutSignIn(error)) showError(error, 'Failed to remove wallet');
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
      if (hasCode(error, 'auth.fresh_sign_in_needed')) onSignInNeeded();
      else showError(error, 'Failed to change the payout wallet');
    }
  };
  return { remove, isRemoving: removeWallet.isPending, makePayout, isMakingPayout: updateProfile.isPending };
}

function isAboutSignIn(error: unknown): boolean {
  return error instanceof ApiError && /authentication|unauthorized/i.test(error.message);
}
