import { useQuery } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { memo, Suspense, useDeferredValue, useMemo, type ReactNode } from 'react';
import { isDeletedPerson } from '#schema/rules/people/person-name.ts';
import type { CallerProfile } from '#schema/contracts/callers.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import { activeCallsQuery, callerHistoryQuery } from '#web/api/calls.queries.ts';
import { publicPricesQuery } from '#web/api/prices.queries.ts';
import { livePricesOf } from '#web/lib/calls/current-price.ts';
import { IdentityNotes } from '#web/lib/people/identity-notes.tsx';
import { onlyEnded } from '#web/lib/calls/filter-calls.ts';
import { formatDay } from '#web/lib/text/dates.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { LocalTime } from '#web/ui/figures/local-time.tsx';
import { ActiveCallsCard } from './active-calls-card.tsx';
import { BioSection } from './bio-section.tsx';
import { CallHistoryCard } from './call-history-card.tsx';
import { ProfileHeader } from './profile-header.tsx';
import { SilenceNote } from '#web/ui/people/silence-note.tsx';
import { ProfileStats } from './profile-stats.tsx';
import { RecordCard } from './record-card.tsx';
import { useFollowActiveCalls } from './use-follow-active-calls.ts';

type ChosenCaller = CallerProfile & { readonly accessEndsAt: string | null };

export interface ProfileProps {
  caller: CallerProfile;
  onBack: () => void;
  onSubscribe: (caller: ChosenCaller) => void;
  isSubscribing: boolean;
  onUnfollow: (caller: ChosenCaller) => void;
  isUnfollowing: (callerId: string) => boolean;
  isPaying: boolean;
  isSignedIn: boolean;
  muteToggle: ReactNode;
  /** The button that reports the caller. */
  report: ReactNode;
  calculator: ReactNode;
  /** The button that verifies the record. */
  verify: ReactNode;
  /** Renders the share button of an ended call. Only its caller sees it. */
  renderShare: (call: TokenCall) => ReactNode;
}

const asFetched = (calls: readonly TokenCall[]) => calls;

/** Memoized, so that it isn't rendered again when the session request returns that the visitor is signed out. */
export const Profile = memo(function Profile(props: ProfileProps) {
  const { caller, isSubscribing, isPaying } = props;
  const { canSeeActiveCalls } = caller.viewer;
  const active = useQuery({ ...activeCallsQuery(caller.id), enabled: canSeeActiveCalls });
  useFollowActiveCalls(caller.id, active);
  // Access lost: hide the active calls even though they're cached.
  const history = useQuery({
    ...callerHistoryQuery(caller.id),
    select: canSeeActiveCalls ? asFetched : onlyEnded,
  });
  const visible = canSeeActiveCalls ? active.data : undefined;
  const activeCount = visible?.length ?? caller.activeCallCount;
  const ended = onlyEnded(history.data ?? []);
  const { data: publicPrices } = useQuery(publicPricesQuery(ended.map(({ tokenMint }) => tokenMint)));
  // Deferred, because each new price rerenders a row.
  const prices = useDeferredValue(
    useMemo(() => ({ ...publicPrices, ...livePricesOf(visible) }), [publicPrices, visible]),
  );
  const chosen = { ...caller, accessEndsAt: caller.viewer.accessEndsAt };
  const subscribe = () => props.onSubscribe(chosen);
  const bio = <BioSection bio={caller.bio} isOwner={caller.viewer.isOwner} />;
  const activeCalls = (
    <Suspense>
      <ActiveCallsCard
        caller={caller}
        count={activeCount}
        calls={active}
        onSubscribe={subscribe}
        isSubscribing={isSubscribing}
        isPaying={isPaying}
        isSignedIn={props.isSignedIn}
      />
    </Suspense>
  );
  const record = (
    <Suspense>
      {props.calculator}
      <RecordCard
        caller={caller}
        calls={history.data}
        areCallsLoading={history.isPending}
        verify={props.verify}
      />
    </Suspense>
  );
  const callHistory = <CallHistoryCard calls={history} prices={prices} renderShare={props.renderShare} />;
  return (
    <div className="desk py-4 md:py-6">
      <TopRow onBack={props.onBack} report={props.report} />
      <ProfileHeader
        caller={caller}
        onSubscribe={subscribe}
        isSubscribing={isSubscribing}
        onUnfollow={() => props.onUnfollow(chosen)}
        isUnfollowing={props.isUnfollowing(caller.id)}
        isPaying={isPaying}
        muteToggle={props.muteToggle}
      />
      <IdentityNotes caller={caller} className="mt-4" />
      {caller.isSuspended && <SuspendedNote caller={caller} />}
      {caller.deletesAt !== null && <LeavingNote deletesAt={caller.deletesAt} />}
      {caller.silentSince !== null && <SilenceNote since={caller.silentSince} />}
      <ProfileStats caller={caller} activeCount={activeCount} />
      {canSeeActiveCalls ? (
        <>
          <WithAside aside={bio}>{activeCalls}</WithAside>
          {record}
          <div className="mt-4">{callHistory}</div>
        </>
      ) : (
        <>
          {record}
          <WithAside aside={bio}>
            {activeCalls}
            {callHistory}
          </WithAside>
        </>
      )}
    </div>
  );
});

function TopRow({ onBack, report }: Pick<ProfileProps, 'onBack' | 'report'>) {
  return (
    <div className="flex justify-between">
      <Button variant="ghost" className="-ml-4" onClick={onBack}>
        <ArrowLeft aria-hidden="true" size={16} />
        Back
      </Button>
      <div className="-mr-4">{report}</div>
    </div>
  );
}

function suspensionText(caller: CallerProfile): string {
  if (isDeletedPerson(caller)) return 'This account was deleted.';
  return caller.viewer.isOwner ? 'Your page is suspended.' : 'This caller is suspended.';
}

function SuspendedNote({ caller }: { caller: CallerProfile }) {
  const { isOwner } = caller.viewer;
  return (
    <p role="note" className="mt-4 rounded-md border border-warn p-3 text-sm">
      <span className="font-medium text-warn">{suspensionText(caller)}</span>{' '}
      {isOwner && 'You can update and end your active calls, but not make new ones. '}
      Nobody can subscribe or renew. Running subscriptions continue, and ended calls stay in the record.
    </p>
  );
}

function LeavingNote({ deletesAt }: { deletesAt: string }) {
  return (
    <p role="note" className="mt-4 rounded-md border border-warn p-3 text-sm">
      <span className="font-medium text-warn">
        This account will be deleted on <LocalTime at={deletesAt} format={formatDay} />.
      </span>{' '}
      There are no new calls and subscriptions. Running subscriptions continue until then, and ended calls
      stay in the record.
    </p>
  );
}

/** Two columns on a wide screen. On a phone, the aside comes last. */
function WithAside({ aside, children }: { aside: ReactNode; children: ReactNode }) {
  return (
    <div className="mt-4 grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="flex min-w-0 flex-col gap-4">{children}</div>
      {aside}
    </div>
  );
}
