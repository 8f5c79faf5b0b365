import { createFileRoute, notFound } from '@tanstack/react-router';
import { useState } from 'react';
import { PAGES } from '#schema/rules/text/page-texts.ts';
import { PushCard } from '#web/features/notifications/push-card.tsx';
import { TelegramCard } from '#web/features/notifications/telegram-card.tsx';
import { SettingsPage } from '#web/features/settings/settings-page.tsx';
import { isSettingsSection } from '#web/features/settings/settings-section.ts';
import { lazyDialog } from '#web/lib/page/lazy-dialog.tsx';
import { usePageTitle } from '#web/lib/page/use-page-title.ts';
import { useUser } from '#web/lib/session/use-user.ts';
import { requireUser } from './-require-user.ts';

export const Route = createFileRoute('/settings/$section')({
  beforeLoad: async ({ context, params: { section } }) => {
    if (!isSettingsSection(section)) throw notFound();
    await requireUser({ context });
    return { section };
  },
  component: SettingsRoute,
});

const ConnectWalletDialog = lazyDialog(
  async () => (await import('#web/features/wallet/connect-wallet-dialog.tsx')).ConnectWalletDialog,
);

function SettingsRoute() {
  const { section } = Route.useRouteContext();
  usePageTitle(PAGES[`/settings/${section}`].title);
  const user = useUser();
  const [isConnecting, setIsConnecting] = useState(false);
  return (
    <>
      <SettingsPage
        user={user}
        section={section}
        notifications={
          <>
            <TelegramCard user={user} />
            <PushCard user={user} />
          </>
        }
        onConnectWallet={() => setIsConnecting(true)}
      />
      <ConnectWalletDialog open={isConnecting} onOpenChange={setIsConnecting} />
    </>
  );
}
