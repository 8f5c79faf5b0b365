import { ConnectedWallet } from '#web/lib/wallets/connected-wallet.tsx';
import { useWallet } from '#web/lib/wallets/use-wallet.ts';
import { Card } from '#web/ui/lists/card.tsx';

/**
 * The wallet that pays for subscriptions. Hidden while no wallet is connected, because the subscribe dialog
 * asks for one.
 */
export function WalletCard() {
  const { connected } = useWallet();
  if (!connected) return null;
  return (
    <Card title="Your Wallet" description="You pay subscriptions from this wallet.">
      <ConnectedWallet />
    </Card>
  );
}
