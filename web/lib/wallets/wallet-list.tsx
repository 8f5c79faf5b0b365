import { ExternalLink } from 'lucide-react';
import { Avatar } from '#web/ui/avatar.tsx';
import { PendingLine } from '#web/ui/pending-line.tsx';
import { isPresent, type WalletChoice } from './list-wallets.ts';
import { createNoWalletError } from './wallet-errors.ts';

const rowClassName =
  'flex min-h-14 w-full items-center gap-3 px-4 py-2 text-left text-sm font-medium hover:bg-surface-hover';

export interface WalletListProps {
  choices: readonly WalletChoice[];
  connectingId: string | null;
  onPick: (walletId: string) => void;
}

export function WalletList({ choices, connectingId, onPick }: WalletListProps) {
  const isBusy = connectingId !== null;
  return (
    <>
      {!choices.some(isPresent) && (
        <p className="mb-3 text-sm text-text-muted">{createNoWalletError().message}</p>
      )}
      <ul aria-label="Wallets" className="divide-y divide-line overflow-clip rounded-md border border-line">
        {choices.map((choice) => (
          <li key={choice.id}>
            {isPresent(choice) ? (
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
