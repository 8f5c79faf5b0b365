import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { explainFailure, hasCode, isSignedOut } from '#web/api/api-error.ts';
import { requestWalletChallenge, saveWalletMutation, walletsQuery } from '#web/api/wallets.queries.ts';
import { toBase64 } from '#web/lib/browser/base64.ts';
import { useWallet } from '#web/lib/wallets/use-wallet.ts';
import { isDeclinedByUser, WalletError } from '#web/lib/wallets/wallet-errors.ts';
import type { ToastMessage } from '#web/ui/overlays/toast-message.ts';
import { useToast } from '#web/ui/overlays/toast.tsx';

/** Asks the connected wallet to sign the server's challenge and saves it as proven. Toasts say what happened. */
export function useProveWallet(onSaved: () => void) {
  const { signText } = useWallet();
  const { toast } = useToast();
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
