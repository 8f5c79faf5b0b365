import { useIsFetching, type Query } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { useEffect, useState, useSyncExternalStore, useTransition } from 'react';
import { SECOND_MS } from '#schema/constants/time.ts';
import { SLOW_CONNECTION_MS } from '#schema/constants/web.ts';
import { checkConnection, connectionState, onConnectionChange } from '#web/api/connection.ts';
import { Button } from '#web/ui/controls/button.tsx';

/** The notice stays at least this long, so that it doesn't flash. */
const SHOWN_MS = SECOND_MS;

const TEXTS = {
  offline: "You're offline. This page may be out of date. What's missing loads when you're back.",
  unreachable: "Can't reach the server. Trying again…",
  slow: 'The connection is slow. Still loading…',
} as const;

/** A line over the window's bottom while the browser is offline, or the server is slow or doesn't respond. */
export function ConnectionNotice() {
  const state = useSyncExternalStore(onConnectionChange, connectionState, () => 'ok' as const);
  const isSlow = useIsSlow();
  const shown = state === 'ok' && isSlow ? 'slow' : state;
  return (
    <div role="status" className="fixed inset-x-0 bottom-0 z-21 print:hidden">
      {shown !== 'ok' && (
        <div className="border-t border-line bg-warn-soft text-sm text-warn">
          <div className="desk flex min-h-11 flex-wrap items-center justify-between gap-x-4 py-1">
            <p className="py-1">{TEXTS[shown]}</p>
            {shown === 'unreachable' && <TryNow />}
          </div>
        </div>
      )}
    </div>
  );
}

function TryNow() {
  const [isTrying, startTrying] = useTransition();
  const tryNow = () => startTrying(async () => void (await checkConnection()));
  return (
    <Button size="sm" isPending={isTrying} pendingText="Trying..." onClick={tryNow}>
      Try now
    </Button>
  );
}

/** True if the page has been waiting for data that it can't show yet. Refetches of shown data don't count. */
function useIsSlow(): boolean {
  const isFetching = useIsFetching({ predicate: isAwaited }) > 0;
  const isNavigating = useRouterState({ select: ({ isLoading }) => isLoading });
  const isWaiting = isFetching || isNavigating;
  const [isSlow, setIsSlow] = useState(false);
  useEffect(() => {
    if (isWaiting === isSlow) return undefined;
    const timer = setTimeout(() => setIsSlow(isWaiting), isWaiting ? SLOW_CONNECTION_MS : SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isWaiting, isSlow]);
  return isSlow;
}

const isAwaited = (query: Query) => query.state.data === undefined && query.isActive();
