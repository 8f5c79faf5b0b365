import type { SavedWallet, WalletChallenge } from '#schema/contracts/wallets.ts';
import { explainFailure, hasCode, isSignedOut } from '#web/api/api-error.ts';
import { toBase64 } from '#web/lib/browser/base64.ts';
import type { SignedText } from '#web/lib/wallets/wallet-adapter.ts';
import { isDeclinedByUser, WalletError } from '#web/lib/wallets/wallet-errors.ts';
import type { ToastMessage } from '#web/ui/overlays/toast-message.ts';

export interface ProveDependencies {
  readonly requestChallenge: (walletAddress: string) => Promise<WalletChallenge>;
  readonly signText: (challenge: WalletChallenge) => Promise<SignedText>;
  readonly saveWallet: (body: {
    walletAddress: string;
    signature: string;
    signedMessage: string;
  }) => Promise<SavedWallet>;
}

export interface ProveRequest {
  readonly address: string;
  readonly saved: readonly SavedWallet[];
  readonly dependencies: ProveDependencies;
}

export interface ProveResult {
  readonly isSaved: boolean;
  readonly toast: ToastMessage;
}

/** Asks a connected wallet to sign the server's challenge and saves it as proven. Never throws. */
export async function proveWallet({ address, saved, dependencies }: ProveRequest): Promise<ProveResult> {
  if (saved.some(({ walletAddress, isProven }) => walletAddress === address && isProven)) {
    return ALREADY_ADDED;
  }
  try {
    const challenge = await dependencies.requestChallenge(address);
    const { signature, signedMessage } = await dependencies.signText(challenge);
    await dependencies.saveWallet({
      walletAddress: address,
      signature: toBase64(signature),
      signedMessage: toBase64(signedMessage),
    });
    return {
      isSaved: true,
      toast: { title: 'Wallet Added', description: 'Your wallet is verified and can receive payouts.' },
    };
  } catch (error) {
    return { isSaved: hasCode(error, 'wallets.already_added'), toast: toastOf(error) };
  }
}

const ALREADY_ADDED: ProveResult = {
  isSaved: true,
  toast: { title: 'Wallet Already Added', description: 'This wallet is already saved to your account.' },
};

function toastOf(error: unknown): ToastMessage {
  if (hasCode(error, 'wallets.already_added')) return ALREADY_ADDED.toast;
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
