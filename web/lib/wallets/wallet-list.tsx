import { ExternalLink } from 'lucide-react';
import { Address } from '#web/ui/address.tsx';
import { Avatar } from '#web/ui/avatar.tsx';
import { Button } from '#web/ui/button.tsx';
import { PendingLine } from '#web/ui/pending-line.tsx';
import { isInstalled, type WalletChoice } from './list-wallets.ts';
import { createNoWalletError } from './wallet-errors.ts';
import { useWallet } from './wallet-provider.tsx';

const rowClassName =
  'flex min-h-14 w-full items-center gap-3 px-4 py-2 text-left text-sm font-medium hover:bg-surface-hover';

export interface WalletListProps {
  /** Label of the button that uses the connected wallet. */
  useLabel: string;
  onUse: (address: string) => void;
  /** Called with the id of a wallet to connect. */
  onPick: (walletId: string) => void;
}

/** The connected wallet with a button to use it, then all wallets to connect or install. */
export function WalletList({ useLabel, onUse, onPick }: WalletListProps) {
  const { choices, connectingId, connected, address, walletName } = useWallet();
  const isBusy = connectingId !== null;
  return (
    <>
      {connected && address !== null && (
        <div className="space-y-3 rounded-md border border-line p-4">
          <p className="flex flex-wrap items-center gap-x-2 text-sm">
            {walletName ?? 'Your wallet'} is connected: <Address value={address} label="wallet address" />
          </p>
          <Button variant="primary" className="w-full" onClick={() => onUse(address)}>
            {useLabel}
          </Button>
        </div>
      )}
      {!choices.some(isInstalled) && (
        <p className="mb-3 text-sm text-text-muted">{createNoWalletError().message}</p>
      )}
      <ul aria-label="Wallets" className="divide-y divide-line overflow-clip rounded-md border border-line">
        {choices.map((choice) => (
          <li key={choice.id}>
            {isInstalled(choice) ? (
              <button
                type="button"
                aria-disabled={isBusy || undefined}
                aria-busy={choice.id === connectingId || undefined}
                onClick={() => !isBusy && onPick(choice.id)}
                className={rowClassName}
              >
                <WalletName choice={choice} />
                {choice.id === connectingId ? (
                  <span className="inline-flex items-center gap-2 text-text-muted">
                    <PendingLine /> Waiting for wallet...
                  </span>
                ) : (
                  <span className="text-xs font-normal text-text-muted">Detected</span>
                )}
              </button>
            ) : (
              <a href={choice.installUrl} target="_blank" rel="noopener noreferrer" className={rowClassName}>
                <WalletName choice={choice} />
                <span className="inline-flex items-center gap-1.5 text-xs font-normal text-text-muted">
                  Install <ExternalLink aria-hidden="true" size={14} />
                </span>
              </a>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

function WalletName({ choice: { name, icon } }: { choice: WalletChoice }) {
  return (
    <>
      <Avatar src={icon} letter={name} size="sm" shape="token" />
      <span className="min-w-0 flex-1">{name}</span>
    </>
  );
}
