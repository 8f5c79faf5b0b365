import { toast } from '#web/ui/overlays/toast-queue.ts';
import { WalletError } from './wallet-errors.ts';
import { useWallet } from './use-wallet.ts';

/** Returns a function that connects a wallet. It returns the address, or `null` after showing an error. */
export function useConnectWallet(): (walletId: string) => Promise<string | null> {
  const { connect } = useWallet();
  return async (walletId) => {
    try {
      return await connect(walletId);
    } catch (error) {
      const description = error instanceof WalletError ? error.message : undefined;
      toast({ title: 'Connection failed', description, variant: 'destructive' });
      return null;
    }
  };
}
