import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useCanGoBack, useNavigate, useRouter } from '@tanstack/react-router';
import { memo, Suspense, useMemo, useEffect, useRef, type ReactNode } from 'react';
import { SKELETON_ROWS } from '#schema/constants/web.ts';
import { isDeletedPerson } from '#schema/rules/people/person-name.ts';
import type { CallerProfile } from '#schema/contracts/callers.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import { ArrowLeft } from '#web/ui/icons.tsx';
import { activeCallsQuery, callerHistoryQuery } from '#web/api/calls.queries.ts';
import { livePricesOf } from '#web/lib/calls/current-price.ts';
import { ListState } from '#web/lib/page/list-state.tsx';
import { IdentityNotes } from '#web/lib/people/identity-notes.tsx';
import { onlyEnded } from '#web/lib/calls/ended-call.ts';
import { formatDay } from '#web/lib/text/dates.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Card } from '#web/ui/lists/card.tsx';
import { LocalTime } from '#web/ui/figures/local-time.tsx';
import { SilenceNote } from '#web/ui/people/silence-note.tsx';
import { ProvenExplanation } from '#web/ui/overlays/explain-proven.tsx';
import { ApiError } from '#web/api/api-error.ts';
import { liveState } from '#web/api/live-state.ts';
import { PaperButton } from '#web/lib/paper/paper-button.tsx';
import { ReportButton } from '#web/lib/report/report-button.tsx';
import { lazyPart } from '#web/lib/page/lazy-part.tsx';
import { isFreeCaller } from '#web/lib/money/fees.ts';
import { CallList } from './call-list.tsx';
import { HiddenCalls } from './hidden-calls.tsx';
import { MoreFigures } from './more-figures.tsx';
import { ProfileHeader } from './profile-header.tsx';
import { ProfileStats } from './profile-stats.tsx';

type ChosenCaller = CallerProfile & { readonly accessEndsAt: string | null };

/** Loaded for subscribers only. */
const CallerChats = lazyPart(async () => (await import('#web/lib/telegram/caller-chats.tsx')).CallerChats);

export interface ProfileProps {
  caller: CallerProfile;
  onSubscribe: (caller: ChosenCaller) => void;
  isSubscribing: boolean;
  onUnfollow: (caller: ChosenCaller) => void;
  isUnfollowing: (callerId: string) => boolean;
  isPaying: boolean;
  calculator: ReactNode;
  renderShare: (call: TokenCall) => ReactNode;
}

/** In the order of the times in the first column. */
const newestFirst = (calls: readonly TokenCall[]) =>
  calls.toSorted((one, other) => other.callTimestamp.localeCompare(one.callTimestamp));
const endedNewestFirst = (calls: readonly TokenCall[]) => newestFirst(onlyEnded(calls));

const ACTIVE_CALLS = {
  what: 'active calls',
  rows: 'row-cards',
  empty: { title: 'No active calls at the moment' },
} as const;
const HISTORY = {
  what: 'call history',
  rows: 'row-cards',
  skeletons: SKELETON_ROWS.history,
  empty: { title: 'No call history available' },
} as const;

/** Memoized, so that it isn't rendered again when the session request returns that the visitor is signed out. */
export const Profile = memo(function Profile(props: ProfileProps) {
  const { caller, isSubscribing, isPaying } = props;
  const { canSeeActiveCalls } = caller.viewer;
  const active = useQuery({ ...activeCallsQuery(caller.id), enabled: canSeeActiveCalls });
  useFollowCalls(caller, active);
  const visible = canSeeActiveCalls ? active.data : undefined;
  const activeCount = visible?.length ?? caller.activeCallCount;
  const chosen = { ...caller, accessEndsAt: caller.viewer.accessEndsAt };
  const subscribing = { caller, onSubscribe: () => props.onSubscribe(chosen), isSubscribing, isPaying };
  const isFollowed = caller.viewer.isOwner || caller.viewer.isSubscribed;
  return (
    <div className="desk py-2 md:py-4">
      <TopRow caller={caller} />
      <ProfileHeader
        {...subscribing}
        onUnfollow={() => props.onUnfollow(chosen)}
        isUnfollowing={props.isUnfollowing(caller.id)}
      />
      <IdentityNotes caller={caller} className="mt-4" />
      <StateNotes caller={caller} />
      {caller.silentSince !== null && <SilenceNote since={caller.silentSince} />}
      {caller.viewer.isSubscribed && !isFreeCaller(caller) && (
        <div className="mt-4 empty:hidden">
          <CallerChats caller={caller} />
        </div>
      )}
      {canSeeActiveCalls && <ActiveCalls query={active} count={activeCount} isFollowed={isFollowed} />}
      <ProfileStats caller={caller} activeCount={activeCount} />
      <ProvenExplanation />
      <div className="mt-4 flex flex-col gap-4">
        <Suspense>{props.calculator}</Suspense>
        {!canSeeActiveCalls && <HiddenCalls {...subscribing} />}
        <MoreFigures caller={caller} />
        <Suspense>
          <History
            caller={caller}
            activeCount={activeCount}
            active={visible}
            renderShare={props.renderShare}
          />
        </Suspense>
      </div>
    </div>
  );
});

interface HistoryProps extends Pick<ProfileProps, 'caller' | 'renderShare'> {
  active: readonly TokenCall[] | undefined;
  activeCount: number;
}

function History({ caller, active, activeCount, renderShare }: HistoryProps) {
  const { canSeeActiveCalls } = caller.viewer;
  // Access lost: hide the active calls even though they're cached.
  const query = useQuery({
    ...callerHistoryQuery(caller.id),
    select: canSeeActiveCalls ? newestFirst : endedNewestFirst,
  });
  const livePrices = useMemo(() => livePricesOf(active), [active]);
  return (
    <Card
      title="Call History"
      aside={<Count>{caller.endedCalls + (canSeeActiveCalls ? activeCount : 0)}</Count>}
      isFlush
    >
      <ListState query={query} {...HISTORY}>
        {(calls) => (
          <CallList
            label="Call History"
            calls={calls}
            livePrices={livePrices}
            hasEnd
            renderAction={renderShare}
          />
        )}
      </ListState>
    </Card>
  );
}

interface ActiveCallsProps {
  query: UseQueryResult<readonly TokenCall[]>;
  count: number;
  isFollowed: boolean;
}

function ActiveCalls({ query, count, isFollowed }: ActiveCallsProps) {
  return (
    <Card title="Active Calls" aside={<Count>{count}</Count>} isFlush className="mt-4">
      <ListState query={query} {...ACTIVE_CALLS}>
        {(calls) => <CallList label="Active Calls" calls={calls} hasEnd={false} isFollowed={isFollowed} />}
      </ListState>
    </Card>
  );
}

function TopRow({ caller }: { caller: CallerProfile }) {
  const { history } = useRouter();
  const navigate = useNavigate();
  const canGoBack = useCanGoBack();
  // If there is no page to go back to, for example after opening a shared link, go to the directory.
  const goBack = () => (canGoBack || cameFromHere() ? history.back() : void navigate({ to: '/' }));
  return (
    <div className="flex flex-wrap justify-between">
      <Button variant="ghost" className="-ml-4" onClick={goBack}>
        <ArrowLeft size={16} />
        Back
      </Button>
      {!caller.viewer.isOwner && (
        <div className="-mr-4 ml-auto flex">
          <PaperButton caller={caller} />
          <ReportButton subject={{ kind: 'caller', id: caller.id, name: 'this caller' }} />
        </div>
      )}
    </div>
  );
}

/** True if Back leads to another page of this site, also after a full page load by a link. */
function cameFromHere(): boolean {
  return window.history.length > 1 && document.referrer.startsWith(`${window.location.origin}/`);
}

function Count({ children }: { children: number }) {
  return <span className="figures text-sm text-text-muted">{children}</span>;
}

function StateNotes({ caller }: { caller: CallerProfile }) {
  const { isOwner } = caller.viewer;
  const suspended = isOwner ? 'Your page is suspended.' : 'This caller is suspended.';
  return (
    <>
      {caller.isSuspended && (
        <Note lead={isDeletedPerson(caller) ? 'This account was deleted.' : suspended}>
          {isOwner && 'You can update and end your active calls, but not make new ones. '}
          Nobody can subscribe or renew. Running subscriptions continue, and ended calls stay in the record.
        </Note>
      )}
      {caller.deletesAt !== null && (
        <Note
          lead={
            <>
              This account will be deleted on <LocalTime at={caller.deletesAt} format={formatDay} />.
            </>
          }
        >
          There are no new calls and subscriptions. Running subscriptions continue until then, and ended calls
          stay in the record.
        </Note>
      )}
    </>
  );
}

function Note({ lead, children }: { lead: ReactNode; children: ReactNode }) {
  return (
    <p role="note" className="mt-4 rounded-md border border-warn p-3 text-sm">
      <span className="font-medium text-warn">{lead}</span> {children}
    </p>
  );
}

const HTTP_FORBIDDEN = 403;

/**
 * Watches the active calls, or the number of ended calls if the viewer can't see the active ones. When it changes between
 * two polls, refetches the history and the figures. A 403 means that access has ended; then this refetches the profile.
 */
function useFollowCalls(
  { id: callerId, endedCalls, viewer: { canSeeActiveCalls } }: CallerProfile,
  { data, error }: Pick<UseQueryResult<readonly TokenCall[]>, 'data' | 'error'>,
): void {
  const queryClient = useQueryClient();
  const ids = data?.map((call) => call.id).sort();
  const calls = canSeeActiveCalls ? ids?.join(' ') : `${endedCalls} ended`;
  const known = useRef<{ callerId: string; calls: string } | null>(null);
  useEffect(() => {
    if (calls === undefined) return;
    const before = known.current;
    known.current = { callerId, calls };
    const isSame = before === null || before.callerId !== callerId || before.calls === calls;
    if (isSame || (canSeeActiveCalls && liveState.isOn)) return;
    void queryClient.invalidateQueries({ queryKey: callerHistoryQuery(callerId).queryKey });
    void queryClient.invalidateQueries({ queryKey: ['callers', 'profile'] });
  }, [callerId, calls, canSeeActiveCalls, queryClient]);
  const isRefused = error instanceof ApiError && error.status === HTTP_FORBIDDEN;
  useEffect(() => {
    if (isRefused) void queryClient.invalidateQueries({ queryKey: ['callers', 'profile'] });
  }, [isRefused, queryClient]);
}
