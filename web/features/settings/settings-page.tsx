import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { CurrentUser } from '#schema/contracts/users.ts';
import { PAGES } from '#schema/rules/text/page-texts.ts';
import { keysOf } from '#schema/rules/typed-keys.ts';
import { usePageTitle } from '#web/lib/page/use-page-title.ts';
import { useUser } from '#web/lib/session/use-user.ts';
import { ConnectedWallet } from '#web/lib/wallets/connected-wallet.tsx';
import { useWallet } from '#web/lib/wallets/use-wallet.ts';
import { classNames } from '#web/ui/class-names.ts';
import { Card } from '#web/ui/lists/card.tsx';
import { ApiKeysCard } from './api-keys-card.tsx';
import { DeliveriesCard } from './deliveries-card.tsx';
import { PayoutWalletCard } from './payout-wallet-card.tsx';
import { PushCard } from './push-card.tsx';
import type { SettingsSection } from './settings-section.ts';
import { TelegramCard } from './telegram-card.tsx';
import { TelegramChatsCard } from './telegram-chats-card.tsx';
import { WaysCard } from './ways-card.tsx';
import { WebhookCard } from './webhook-card.tsx';
import { YourDataCard } from './your-data-card.tsx';

export function SettingsPage({ section: shown }: { section: SettingsSection }) {
  usePageTitle(titleOf(shown));
  const user = useUser();
  return (
    <div className="desk min-h-dvh py-6">
      <h1 className="mb-4 text-xl font-semibold tracking-tight md:text-2xl">
        Settings<span className="sr-only">: {titleOf(shown)}</span>
      </h1>
      <div className="grid items-start gap-4 lg:grid-cols-[13rem_minmax(0,42rem)] lg:gap-10">
        <nav aria-label="Settings" className="flex flex-wrap gap-1 lg:flex-col">
          {keysOf(SECTIONS).map((section) => (
            <Link key={section} to="/settings/$section" params={{ section }} className={tabClassName}>
              {titleOf(section)}
            </Link>
          ))}
        </nav>
        <div className="settles grid gap-4 *:min-w-0 lg:gap-6">{SECTIONS[shown](user)}</div>
      </div>
    </div>
  );
}

const tabClassName = classNames(
  'inline-flex min-h-11 items-center rounded-md px-3 text-sm text-text-muted hover:bg-surface-hover',
  'aria-[current=page]:bg-surface-raised aria-[current=page]:font-medium aria-[current=page]:text-text',
);

const titleOf = (section: SettingsSection) => PAGES[`/settings/${section}`].title;

const SECTIONS: Readonly<Record<SettingsSection, (user: CurrentUser) => ReactNode>> = {
  'sign-ins': (user) => (
    <>
      <WaysCard />
      <ApiKeysCard isCaller={user.isCaller} />
    </>
  ),
  notifications: (user) => (
    <>
      <TelegramCard user={user} />
      <PushCard user={user} />
      {user.isCaller && <TelegramChatsCard user={user} />}
      {user.isCaller && <DeliveriesCard />}
    </>
  ),
  wallets: (user) => (user.isCaller ? <PayoutWalletCard user={user} /> : <WalletCard />),
  webhook: () => <WebhookCard />,
  data: (user) => <YourDataCard user={user} />,
};

/** The wallet that pays. */
function WalletCard() {
  const { connected } = useWallet();
  return (
    <Card title="Your Wallet" description="You pay subscriptions from this wallet.">
      {connected ? (
        <ConnectedWallet />
      ) : (
        <p className="text-sm text-text-muted">
          No wallet is connected in this browser. The subscribe dialog asks for one.
        </p>
      )}
    </Card>
  );
}
