import { ExternalLink } from '#web/ui/more-icons.ts';
import { useId } from 'react';
import { Avatar } from '#web/ui/people/avatar.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { PendingLine } from '#web/ui/charts/pending-line.tsx';
import { ConnectedWallet } from './connected-wallet.tsx';
import { isInstalled, type WalletChoice } from './list-wallets.ts';
import { isMobileDevice, walletAppUrl } from './wallet-apps.ts';
import { createNoWalletError } from './wallet-errors.ts';
import { useWallet } from './use-wallet.ts';

const rowClassName = 'flex min-h-14 w-full items-center gap-3 px-4 py-2 text-left text-sm font-medium';
/** The text wraps on the narrowest phones, where the wallet's name needs the space. */
const stateClassName =
  'flex min-w-min flex-1 flex-wrap items-center justify-end gap-x-3 text-xs font-normal text-text-muted *:whitespace-nowrap';

export interface WalletListProps {
  useLabel: string;
  onUse: (address: string) => void;
  onPick: (walletId: string) => void;
  page?: string;
}

/** The connected wallet with buttons to use or disconnect it, then all wallets to connect or install. */
export function WalletList({ useLabel, onUse, onPick, page = window.location.href }: WalletListProps) {
  const { choices, address } = useWallet();
  const appPage = isMobileDevice(navigator) ? page : null;
  return (
    <>
      {address !== null && (
        <div className="space-y-3 rounded-md border border-line p-4">
          <ConnectedWallet />
          <Button data-first-choice="" variant="primary" className="w-full" onClick={() => onUse(address)}>
            {useLabel}
          </Button>
        </div>
      )}
      {!choices.some(isInstalled) && (
        <p className="mb-3 text-sm text-text-muted">
          {appPage === null ? createNoWalletError().message : OPEN_IN_APP}
        </p>
      )}
      <ul aria-label="Wallets" className="divide-y divide-line overflow-clip rounded-md border border-line">
        {choices.toSorted(byPlace(appPage)).map((choice) => (
          <WalletRow key={choice.id} choice={choice} onPick={onPick} appPage={appPage} />
        ))}
      </ul>
    </>
  );
}

const OPEN_IN_APP =
  "This browser has no Solana wallet. Open this page in your wallet's app. You'll sign in again there.";

/** Sorts wallets: installed ones first, then those whose app can open the page, then the others. */
function byPlace(appPage: string | null) {
  const placeOf = (choice: WalletChoice) => {
    if (isInstalled(choice)) return 0;
    return appPage !== null && walletAppUrl(choice.id, appPage) !== null ? 1 : 2;
  };
  return (one: WalletChoice, other: WalletChoice) => placeOf(one) - placeOf(other);
}

interface WalletRowProps extends Pick<WalletListProps, 'onPick'> {
  choice: WalletChoice;
  appPage: string | null;
}

function WalletRow({ choice, onPick, appPage }: WalletRowProps) {
  const { connectingId, failure } = useWallet();
  const isBusy = connectingId !== null;
  const problem = failure?.walletId === choice.id ? failure.message : choice.problem;
  const problemId = useId();
  const describedBy = problem === null ? undefined : problemId;
  return (
    <li>
      {isInstalled(choice) ? (
        <button
          type="button"
          aria-disabled={isBusy || undefined}
          aria-busy={choice.id === connectingId || undefined}
          aria-describedby={describedBy}
          onClick={() => !isBusy && onPick(choice.id)}
          className={classNames(rowClassName, 'hover:bg-surface-hover')}
        >
          <WalletName choice={choice} />
          <WalletState choice={choice} />
        </button>
      ) : (
        <MissingWallet choice={choice} appUrl={appPage === null ? null : walletAppUrl(choice.id, appPage)} />
      )}
      {problem !== null && (
        <p id={problemId} role="status" className="px-4 pb-3 text-xs text-text-muted">
          {problem}
        </p>
      )}
    </li>
  );
}

function MissingWallet({ choice, appUrl }: { choice: WalletChoice; appUrl: string | null }) {
  const url = choice.problem === null ? (appUrl ?? choice.installUrl) : undefined;
  if (url === undefined) {
    const reason = choice.problem === null ? 'No longer offered by its maker' : "Can't be used here";
    return (
      <div className={rowClassName}>
        <WalletName choice={choice} />
        <span className={stateClassName}>{reason}</span>
      </div>
    );
  }
  return (
    <a
      href={url}
      // An app opens only from a link in the same tab.
      {...(appUrl === null && { target: '_blank', rel: 'noopener noreferrer' })}
      className={classNames(rowClassName, 'hover:bg-surface-hover')}
    >
      <WalletName choice={choice} />
      <span className={stateClassName}>
        {appUrl === null && <span>Not installed</span>}
        <span className="inline-flex items-center gap-1.5 text-text underline underline-offset-4">
          {appUrl === null ? 'Install' : 'Open in wallet'} <ExternalLink size={14} />
        </span>
      </span>
    </a>
  );
}

function WalletState({ choice: { id } }: { choice: WalletChoice }) {
  const { connectingId, walletId, failure } = useWallet();
  if (id === connectingId) {
    return (
      <span className="ml-auto inline-flex items-center gap-2 text-text-muted">
        <PendingLine /> Waiting for wallet...
      </span>
    );
  }
  if (id === walletId) return <span className={stateClassName}>Connected</span>;
  return <span className={stateClassName}>{failure?.walletId === id ? 'Not ready' : 'Detected'}</span>;
}

function WalletName({ choice: { name, icon } }: { choice: WalletChoice }) {
  return (
    <>
      <Avatar src={icon} name={name} size="sm" shape="token" />
      <span className="min-w-0">{name}</span>
    </>
  );
}
