import { useLayoutEffect, useRef, useState } from 'react';
import type { CurrentUser } from '#schema/contracts/users.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Card } from '#web/ui/card.tsx';
import { ConnectForm } from './connect-form.tsx';
import { ConnectedLink } from './connected-link.tsx';
import { PendingLink } from './pending-link.tsx';
import type { GivenLink } from './use-request-link.ts';
import { useLookWhenBack } from './use-refresh-user.ts';

/** Notifications on Telegram: a handle to give, Start to press in the bot, then connected. */
export function TelegramCard({
  user,
}: {
  user: Pick<CurrentUser, 'telegramHandle' | 'telegramConnected' | 'isCaller'>;
}) {
  const { telegramHandle: handle, telegramConnected: isConnected, isCaller } = user;
  // The link is told once: whoever reloads gets a new one.
  const [link, setLink] = useState<GivenLink | null>(null);
  const [isChanging, setIsChanging] = useState(false);
  const isPending = handle !== null && !isConnected;
  const isAsking = handle === null || (isPending && isChanging);
  // It has done its work: whoever stops the bot and comes back needs another.
  if (isConnected && link !== null) setLink(null);
  useLookWhenBack(handle !== null);
  const bodyRef = useFocusKept(isConnected);
  return (
    <Card
      title="Telegram Notifications"
      aside={
        <span role="status">
          {isConnected ? (
            <Badge tone="gain">Connected</Badge>
          ) : (
            isPending && <Badge tone="warn">Pending</Badge>
          )}
        </span>
      }
    >
      <div ref={bodyRef} tabIndex={-1} className="outline-none">
        {isAsking ? (
          <ConnectForm
            handle={handle}
            isCaller={isCaller}
            onSaved={(given) => {
              setLink(given);
              setIsChanging(false);
            }}
            onCancel={handle === null ? undefined : () => setIsChanging(false)}
          />
        ) : isConnected ? (
          <ConnectedLink handle={handle} isCaller={isCaller} />
        ) : (
          <PendingLink handle={handle} link={link} onNewLink={setLink} onChange={() => setIsChanging(true)} />
        )}
      </div>
    </Card>
  );
}

/** What had the focus goes when Telegram is connected or disconnected; the focus stays in the card. */
function useFocusKept(isConnected: boolean) {
  const bodyRef = useRef<HTMLDivElement>(null);
  const wasConnected = useRef(isConnected);
  useLayoutEffect(() => {
    if (wasConnected.current === isConnected) return;
    wasConnected.current = isConnected;
    if (document.activeElement === document.body) bodyRef.current?.focus({ preventScroll: true });
  }, [isConnected]);
  return bodyRef;
}
