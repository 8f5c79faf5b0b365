import { Address } from '#web/ui/figures/address.tsx';
import { Avatar } from '#web/ui/people/avatar.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { toast } from '#web/ui/overlays/toast-queue.ts';
import { useWallet } from './use-wallet.ts';

export function ConnectedWallet() {
  const { address, walletName, walletIcon, disconnect } = useWallet();
  if (address === null) return null;
  const name = walletName ?? 'Your wallet';
  const leave = async () => {
    await disconnect();
    toast({ title: 'Wallet disconnected', description: `${name} is no longer connected in this browser.` });
  };
  return (
    <div role="group" aria-label="Connected wallet" className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <Avatar src={walletIcon} name={name} size="sm" shape="token" />
      <div className="min-w-0 flex-1 text-sm">
        <p className="font-medium">{name}</p>
        <Address value={address} label="wallet address" />
      </div>
      <Button size="sm" aria-label={`Disconnect ${name}`} onClick={() => void leave()}>
        Disconnect
      </Button>
    </div>
  );
}
