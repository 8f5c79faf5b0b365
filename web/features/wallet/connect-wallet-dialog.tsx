import { useConnectWallet } from '#web/lib/wallets/use-connect-wallet.ts';
import { useWallet } from '#web/lib/wallets/use-wallet.ts';
import { WalletList } from '#web/lib/wallets/wallet-list.tsx';
import type { LazyDialogProps } from '#web/lib/page/lazy-dialog.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { PendingLine } from '#web/ui/charts/pending-line.tsx';
import { useProveWallet } from './use-prove-wallet.ts';

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
