import { useToast } from '#web/ui/toast.tsx';
import { WalletError } from './wallet-errors.ts';
import { useWallet } from './wallet-provider.tsx';

/** Connects a wallet and says so when it fails. Answers the address, or `null`. */
export function useConnectWallet(): (walletId: string) => Promise<string | null> {
  const { connect } = useWallet();
  const { toast } = useToast();
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
