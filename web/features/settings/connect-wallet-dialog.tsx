import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useConnectWallet, useWallet } from '#web/lib/wallets/use-wallet.ts';
import { WalletList } from '#web/lib/wallets/wallet-list.tsx';
import type { LazyDialogProps } from '#web/lib/page/lazy-dialog.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { PendingLine } from '#web/ui/charts/pending-line.tsx';
import { explainFailure, hasCode, isSignedOut } from '#web/api/api-error.ts';
import { requestWalletChallenge, saveWalletMutation, walletsQuery } from '#web/api/wallets.queries.ts';
import { toBase64 } from '#web/lib/browser/base64.ts';
import { isDeclinedByUser, WalletError } from '#web/lib/wallets/wallet-errors.ts';
import { toast, type ToastMessage } from '#web/ui/overlays/toast-queue.ts';

/** Connects a wallet, prompts it to sign a challenge, and saves it as proven. A proven wallet can receive payouts. */
export function ConnectWalletDialog(props: LazyDialogProps) {
  const proof = useProveWallet(() => props.onOpenChange(false));
  return (
    <Dialog
      {...props}
      isBusy={proof.isProving}
      title="Connect Wallet"
      description="Your wallet signs a message to verify that it's yours. This moves no money."
    >
      <ConnectAndProve {...proof} />
    </Dialog>
  );
}

function ConnectAndProve({ prove, isProving }: ReturnType<typeof useProveWallet>) {
  const { walletName, refresh } = useWallet();
  const connectWallet = useConnectWallet();

  const pick = async (pickedId: string) => {
    const picked = await connectWallet(pickedId);
    if (picked !== null) await prove(picked);
  };

  if (isProving) return <SignPrompt walletName={walletName ?? 'your wallet'} />;
  return (
    <div className="space-y-5">
      <WalletList
        useLabel="Use this wallet"
        onUse={(address) => void prove(address)}
        onPick={(pickedId) => void pick(pickedId)}
      />
      <Button variant="ghost" size="sm" onClick={refresh}>
        Look for wallets again
      </Button>
    </div>
  );
}

function SignPrompt({ walletName }: { walletName: string }) {
  return (
    <div role="status" className="flex flex-col items-center gap-3 py-6 text-center">
      <p className="inline-flex items-center gap-3 text-base font-medium">
        <PendingLine /> Sign the message in {walletName}
      </p>
      <p className="text-sm text-text-muted">It verifies that the wallet is yours. No transaction, no fee.</p>
    </div>
  );
}

function useProveWallet(onSaved: () => void) {
  const { signText } = useWallet();
  const { mutateAsync: saveWallet } = useMutation(saveWalletMutation);
  const { data: saved = [] } = useQuery(walletsQuery);
  const [isProving, setIsProving] = useState(false);
  const finish = (message: ToastMessage) => {
    toast(message);
    onSaved();
  };
  const prove = async (address: string) => {
    if (saved.some(({ walletAddress, isProven }) => walletAddress === address && isProven)) {
      return finish(ALREADY_ADDED);
    }
    setIsProving(true);
    try {
      const challenge = await requestWalletChallenge(address);
      const { signature, signedMessage } = await signText(challenge);
      await saveWallet({
        walletAddress: address,
        signature: toBase64(signature),
        signedMessage: toBase64(signedMessage),
      });
      finish({ title: 'Wallet Added', description: 'Your wallet is verified and can receive payouts.' });
    } catch (error) {
      if (hasCode(error, 'wallets.already_added')) finish(ALREADY_ADDED);
      else toast(toastOf(error));
    } finally {
      setIsProving(false);
    }
  };
  return { prove, isProving };
}

const ALREADY_ADDED: ToastMessage = {
  title: 'Wallet Already Added',
  description: 'This wallet is already saved to your account.',
};

function toastOf(error: unknown): ToastMessage {
  if (isSignedOut(error)) {
    return {
      title: 'Authentication Required',
      description: 'Please sign in, then connect your wallet again.',
      variant: 'destructive',
    };
  }
  return {
    title: 'Warning',
    description: `Your wallet is connected but was not saved: ${describeFailure(error)}`,
    variant: 'destructive',
  };
}

function describeFailure(error: unknown): string {
  if (isDeclinedByUser(error)) return 'you declined to sign the message. Choose it again to retry.';
  if (error instanceof WalletError) return error.message;
  return explainFailure(error, 'Failed to add wallet');
}
