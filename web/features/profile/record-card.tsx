import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { DAY_MS, MIN_COUNTED_HOLD_MS, MINUTE_MS, STATISTICS_MAX_CALLS } from '#schema/constants.ts';
import type { CallerProfile, CallerStatistics, StatisticsWindow } from '#schema/contracts/callers.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import { callerStatisticsQuery } from '#web/api/callers.queries.ts';
import { pluralize, formatCount } from '#schema/rules/text/format.ts';
import { hasEnded, type EndedCall } from '#web/lib/calls/ended-call.ts';
import { LoadFailed } from '#web/lib/page/load-failed.tsx';
import { Card } from '#web/ui/lists/card.tsx';
import { Fold } from '#web/ui/lists/fold.tsx';
import { EmptyState } from '#web/ui/lists/empty-state.tsx';
import { SegmentedToggle } from '#web/ui/controls/segmented-toggle.tsx';
import { Skeleton, SkeletonGroup } from '#web/ui/lists/skeleton.tsx';
import { HowWeCount } from '#web/ui/figures/how-we-count.tsx';
import { HoldingsFigures } from './holdings-figures.tsx';
import { FollowerRecord } from './follower-record.tsx';
import { OpenCallsNote } from './open-calls-note.tsx';
import { RecordFigures } from './record-figures.tsx';
import { RecordLines } from './record-lines.tsx';
import { windowDays, windowOptions, windowPhrases } from './record-windows.ts';

export interface RecordCardProps {
  caller: CallerProfile;
  /** The newest calls, for the chart. Undefined until loaded. */
  calls: readonly TokenCall[] | undefined;
  areCallsLoading: boolean;
  /** The button that verifies the record. */
  verify: ReactNode;
}

export function RecordCard({ caller, calls, areCallsLoading, verify }: RecordCardProps) {
  const query = useQuery(callerStatisticsQuery(caller.id));
  const [window, setWindow] = useState<StatisticsWindow>('all');
  const start = startOf(window, query.dataUpdatedAt);
  const figures = query.data?.windows[window];
  const hasWindows = (query.data?.windows.all.endedCalls ?? 0) > 0;
  return (
    <Card
      className="mt-4"
      title="Record"
      description={<HowWeCount className="inline-flex min-h-11 items-center md:min-h-0" />}
      aside={
        hasWindows && (
          <SegmentedToggle label="Period" value={window} options={windowOptions} onValueChange={setWindow} />
        )
      }
    >
      {query.data && (
        <>
          <EmptyRecord statistics={query.data} window={window} />
          <RecordLines
            calls={callsSince(calls ?? [], start)}
            isLoading={areCallsLoading && caller.endedCalls > 0}
          />
        </>
      )}
      {query.isPending && (
        <SkeletonGroup label="Loading record">
          <Skeleton className="h-80" />
        </SkeletonGroup>
      )}
      {query.isLoadingError && <LoadFailed what="the record" query={query} />}
      {figures && figures.endedCalls > 0 && (
        <div className="mt-4">
          <Fold title="More figures">
            <RecordFigures figures={figures} window={window} />
            {query.data?.holdings && <HoldingsFigures holdings={query.data.holdings} />}
          </Fold>
        </div>
      )}
      <FollowerRecord caller={caller} />
      {query.data && <Notes caller={caller} statistics={query.data} />}
      <div className="mt-3 -mb-2 -ml-4">{verify}</div>
    </Card>
  );
}

/** Says why there are no figures; nothing if there are. */
function EmptyRecord({ statistics, window }: { statistics: CallerStatistics; window: StatisticsWindow }) {
  const { windows, unrankedCalls } = statistics;
  if (windows[window].endedCalls > 0) return null;
  if (windows.all.endedCalls > 0) {
    return (
      <EmptyState
        title="No ranked calls in this period"
        description={`No ranked call ended ${windowPhrases[window]}.`}
      />
    );
  }
  return unrankedCalls === 0 ? (
    <EmptyState title="No ended calls yet" description="The record starts when the first call ends." />
  ) : (
    <EmptyState
      title="No ranked call has ended yet"
      description="The record starts when the first ranked call ends."
    />
  );
}

function Notes({
  caller,
  statistics: { unrankedCalls, microCapCalls, uncountedGains, windows, openCalls, holdings },
}: {
  caller: CallerProfile;
  statistics: CallerStatistics;
}) {
  const isCut =
    caller.endedCalls > STATISTICS_MAX_CALLS &&
    unrankedCalls + windows.all.endedCalls >= STATISTICS_MAX_CALLS;
  return (
    <div className="flex flex-col gap-2 text-sm text-text-muted not-empty:mt-4 not-empty:border-t not-empty:border-line not-empty:pt-4">
      {caller.viewer.canSeeActiveCalls && openCalls !== null && openCalls.count > 0 && (
        <OpenCallsNote openCalls={openCalls} />
      )}
      {unrankedCalls > 0 && (
        <p>
          {pluralize(unrankedCalls, 'unranked call')} {unrankedCalls === 1 ? 'is' : 'are'} listed but not
          counted in any of these figures
          {microCapCalls > 0 && `, ${formatCount(microCapCalls)} of them on micro-caps`}. Each call's page
          says why.
        </p>
      )}
      {uncountedGains > 0 && (
        <p>
          {pluralize(uncountedGains, 'gain')} {uncountedGains === 1 ? 'counts' : 'count'} as 0%: the call was
          open for less than {MIN_COUNTED_HOLD_MS / MINUTE_MS} minutes, or ended while only one source had a
          price.
        </p>
      )}
      {caller.payoutAddress === null && !holdings && (
        <p>No declared wallet: without a verified payout wallet, nobody can see what this caller holds.</p>
      )}
      {isCut && <p>Based on the newest {formatCount(STATISTICS_MAX_CALLS)} ended calls.</p>}
    </div>
  );
}

/** Returns when a window starts, in unix ms. Null for all calls. */
function startOf(window: StatisticsWindow, now: number): number | null {
  const days = windowDays[window];
  return days === null ? null : now - days * DAY_MS;
}

function callsSince(calls: readonly TokenCall[], start: number | null): EndedCall[] {
  const ended = calls.filter(hasEnded);
  return start === null ? ended : ended.filter(({ endTimestamp }) => Date.parse(endTimestamp) >= start);
}
