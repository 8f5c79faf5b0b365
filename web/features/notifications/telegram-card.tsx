import { useQuery } from '@tanstack/react-query';
import { useLayoutEffect, useRef, useState } from 'react';
import type { CurrentUser } from '#schema/contracts/users.ts';
import { currentUserQuery } from '#web/api/session.queries.ts';
import { Badge } from '#web/ui/people/badge.tsx';
import { Card } from '#web/ui/lists/card.tsx';
import { TELEGRAM_ANCHOR } from './calls-switch.tsx';
import { ConnectForm } from './connect-form.tsx';
import { ConnectedLink } from './connected-link.tsx';
import { PendingLink } from './pending-link.tsx';
import type { StartLink } from './use-request-link.ts';

export interface TelegramCardProps {
  user: Pick<CurrentUser, 'telegramHandle' | 'telegramConnected' | 'telegramCalls' | 'isCaller'>;
}

/** Refetches when the page becomes visible, because the user may have used the bot in Telegram. */
const REFETCH_ON_RETURN = { refetchOnWindowFocus: 'always', refetchOnMount: false } as const;

/** Shows one of three steps: enter a username or none, press Start in the bot, connected. */
export function TelegramCard({ user }: TelegramCardProps) {
  const { telegramHandle: handle, telegramConnected: isConnected } = user;
  useQuery({ ...currentUserQuery, ...REFETCH_ON_RETURN, enabled: handle !== null });
  const bodyRef = useRestoredFocus(isConnected);
  return (
    <Card
      id={TELEGRAM_ANCHOR}
      title="Telegram Notifications"
      aside={
        <span role="status">
          {isConnected && <Badge tone="gain">Connected</Badge>}
          {!isConnected && handle !== null && <Badge tone="warn">Pending</Badge>}
        </span>
      }
    >
      <div ref={bodyRef} tabIndex={-1} className="outline-none">
        <Step user={user} />
      </div>
    </Card>
  );
}

function Step({ user }: TelegramCardProps) {
  const { telegramHandle: handle, telegramConnected: isConnected, isCaller } = user;
  // The server sends each link once, so a reload needs a new link.
  const [link, setLink] = useState<StartLink | null>(null);
  const [isChanging, setIsChanging] = useState(false);
  // Forget a used link, because it works only once.
  if (isConnected && link !== null) setLink(null);
  if (isConnected) {
    return <ConnectedLink handle={handle} isCaller={isCaller} canCall={user.telegramCalls === true} />;
  }
  if ((handle !== null || link !== null) && !isChanging) {
    return (
      <PendingLink handle={handle} link={link} onNewLink={setLink} onChange={() => setIsChanging(true)} />
    );
  }
  return (
    <ConnectForm
      handle={handle}
      isCaller={isCaller}
      onSaved={(next) => {
        setLink(next);
        setIsChanging(false);
      }}
      onCancel={handle === null && link === null ? undefined : () => setIsChanging(false)}
    />
  );
}

/** Focuses the card's body if connecting or disconnecting removes the focused element. */
function useRestoredFocus(isConnected: boolean) {
  const bodyRef = useRef<HTMLDivElement>(null);
  const wasConnected = useRef(isConnected);
  useLayoutEffect(() => {
    if (wasConnected.current === isConnected) return;
    wasConnected.current = isConnected;
    if (document.activeElement === document.body) bodyRef.current?.focus({ preventScroll: true });
  }, [isConnected]);
  return bodyRef;
}
