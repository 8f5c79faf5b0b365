import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { TokenCall } from '#schema/contracts/calls.ts';
import type { CurrentUser } from '#schema/contracts/users.ts';
import { activeCallsQuery, callerHistoryQuery } from '#web/api/calls.queries.ts';
import { onlyEnded } from '#web/lib/calls/ended-call.ts';
import { LazyFold } from '#web/ui/lists/fold.tsx';
import { columnClassName, columnsClassName } from '../columns.ts';
import { EndedCallsCard } from '../ended-calls-card.tsx';
import { SettingsLinks } from '../settings-links.tsx';
import { ActiveCallsCard } from './active-calls-card.tsx';
import { CallerProfileCard } from './caller-profile-card.tsx';
import { MakeCallCard } from './make-call-card.tsx';
import { RecentBuys } from './recent-buys.tsx';
import { SubscribersCard } from './subscribers-card.tsx';

export interface CallerViewProps {
  user: CurrentUser;
  token: string | undefined;
  renderShare: (call: TokenCall) => ReactNode;
}

export function CallerView({ user, token, renderShare }: CallerViewProps) {
  const activeCalls = useQuery(activeCallsQuery(user.id));
  const history = useQuery({ ...callerHistoryQuery(user.id), select: onlyEnded });
  /** The picked mint plus a counter. Because of the counter, picking the same token twice looks it up again. */
  const [picked, setPicked] = useState<{ mint: string; count: number } | null>(null);
  const makeCallRef = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (picked === null) return;
    makeCallRef.current?.focus({ preventScroll: true });
    makeCallRef.current?.scrollIntoView({ block: 'start' });
  }, [picked]);
  return (
    <div className={columnsClassName}>
      <div className={columnClassName}>
        <div
          ref={makeCallRef}
          tabIndex={-1}
          role="group"
          aria-label="Make a Token Call"
          className="grid gap-2 outline-none"
        >
          <MakeCallCard
            key={picked?.count}
            callerId={user.id}
            token={picked?.mint ?? token}
            activeCalls={activeCalls.data}
          />
          <LazyFold title="Your Recent Buys">
            <RecentBuys
              activeCalls={activeCalls.data}
              onCall={(mint) => setPicked({ mint, count: (picked?.count ?? 0) + 1 })}
            />
          </LazyFold>
        </div>
        <ActiveCallsCard query={activeCalls} />
        <SubscribersCard callerId={user.id} />
      </div>
      <div className={columnClassName}>
        <CallerProfileCard user={user} />
        <SettingsLinks user={user} isCallerView />
        <EndedCallsCard
          title="Call History"
          query={history}
          what="call history"
          empty={{ title: 'No call history available', description: 'A call appears here after you end it.' }}
          isOwn
          renderAction={renderShare}
        />
      </div>
    </div>
  );
}
