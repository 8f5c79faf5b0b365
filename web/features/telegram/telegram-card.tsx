import { useState } from 'react';
import type { CurrentUser } from '#schema/contracts/users.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Card } from '#web/ui/card.tsx';
import { ConnectForm } from './connect-form.tsx';
import { ConnectedLink } from './connected-link.tsx';
import { PendingLink } from './pending-link.tsx';

/** Notifications on Telegram: a handle to give, Start to press in the bot, then connected. */
export function TelegramCard({ user }: { user: Pick<CurrentUser, 'telegramHandle' | 'telegramConnected'> }) {
  const { telegramHandle: handle, telegramConnected: isConnected } = user;
  // The link is told once: whoever reloads gets a new one.
  const [startUrl, setStartUrl] = useState<string | null>(null);
  const [isChanging, setIsChanging] = useState(false);
  const isPending = handle !== null && !isConnected;
  const isAsking = handle === null || (isPending && isChanging);
  return (
    <Card title="Telegram Notifications" aside={isConnected ? <Badge tone="gain">Connected</Badge> : isPending && <Badge tone="warn">Pending</Badge>}>
      {isAsking ? (
        <ConnectForm
          handle={handle}
          onSaved={(url) => {
            setStartUrl(url);
            setIsChanging(false);
          }}
          onCancel={handle === null ? undefined : () => setIsChanging(false)}
        />
      ) : isConnected ? (
        <ConnectedLink handle={handle} />
      ) : (
        <PendingLink handle={handle} startUrl={startUrl} onNewLink={setStartUrl} onChange={() => setIsChanging(true)} />
      )}
    </Card>
  );
}
