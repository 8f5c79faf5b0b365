import { useState } from 'react';
import {
  DOUBLED_MULTIPLE,
  FOLLOWER_STAKES_USD,
  HOLDINGS_MIN_USD,
  HOLDINGS_SUMMED_CALLS,
  MAX_FOLLOWER_RESULT_PERCENT,
  MIN_COUNTED_HOLD_MS,
  STATISTICS_MAX_CALLS,
  STATISTICS_WINDOWS_DAYS,
} from '#schema/constants/market.ts';
import { DAY_MS, MINUTE_MS } from '#schema/constants/time.ts';
import type {
  CallerProfile,
  CallerStatistics,
  StatisticsWindow,
  WindowStatistics,
} from '#schema/contracts/callers.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import type { MicroCapRecord } from '#schema/rules/calls/micro-caps.ts';
import { rankedSample } from '#schema/rules/calls/ranking-texts.ts';
import { formatMultiple, formatProfitFactor } from '#schema/rules/text/format-amounts.ts';
import { formatDuration } from '#schema/rules/text/format-durations.ts';
import { formatChange, formatCount, formatRate, formatUsd, pluralize } from '#schema/rules/text/format.ts';
import { hasEnded } from '#web/lib/calls/ended-call.ts';
import { SegmentedToggle } from '#web/ui/controls/segmented-toggle.tsx';
import { Change } from '#web/ui/figures/change.tsx';
import { HowWeCount } from '#web/ui/figures/how-we-count.tsx';
import { StatBand, StatCard } from '#web/ui/lists/stat-card.tsx';
import { ResultsChart } from './results-chart.tsx';

const [MONTH, QUARTER] = STATISTICS_WINDOWS_DAYS;
const WINDOWS = [
  { value: '30d', label: `${MONTH} d`, days: MONTH },
  { value: '90d', label: `${QUARTER} d`, days: QUARTER },
  { value: 'all', label: 'All', days: null },
] as const satisfies readonly { value: StatisticsWindow; label: string; days: number | null }[];

export interface RecordFiguresProps {
  caller: CallerProfile;
  calls: readonly TokenCall[];
  statistics: CallerStatistics;
  now: number;
}

export function RecordFigures({ caller, calls, statistics, now }: RecordFiguresProps) {
  const [window, setWindow] = useState<StatisticsWindow>('all');
  const days = WINDOWS.find(({ value }) => value === window)?.days ?? null;
  const start = days === null ? 0 : now - days * DAY_MS;
  const figures = statistics.windows[window];
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <HowWeCount className="inline-flex min-h-11 items-center text-sm" />
        <SegmentedToggle label="Period" value={window} options={WINDOWS} onValueChange={setWindow} />
      </div>
      {figures.endedCalls === 0 ? (
        <p className="text-sm text-text-muted">
          No ranked call has ended{days === null ? ' yet' : ` in the last ${days} days`}.
        </p>
      ) : (
        <WindowFigures figures={figures} />
      )}
      <ResultsChart
        calls={calls.filter(hasEnded).filter(({ endTimestamp }) => Date.parse(endTimestamp) >= start)}
      />
      {statistics.microCaps && (
        <MicroCaps record={statistics.microCaps} openCount={statistics.openCalls?.microCapCount ?? 0} />
      )}
      {statistics.holdings && <Holdings holdings={statistics.holdings} />}
      <RecordNotes caller={caller} statistics={statistics} />
    </div>
  );
}

function WindowFigures({ figures }: { figures: WindowStatistics }) {
  const { averagePeakMultiple, followedCalls } = figures;
  const sample = rankedSample(figures.endedCalls);
  return (
    <StatBand label="Record figures" className="grid-cols-2 sm:grid-cols-3 lg:grid-cols-7">
      <StatCard label="Median Return" value={<Change percent={figures.medianReturn} />} note={sample} />
      <StatCard
        label={`Ended at ${DOUBLED_MULTIPLE}x or More`}
        value={formatRate(figures.shareOfDoubledCalls)}
        note={sample}
      />
      <StatCard label="Best" value={<Change percent={figures.bestReturn} />} note={sample} />
      <StatCard label="Worst" value={<Change percent={figures.worstReturn} />} note={sample} />
      <StatCard
        label="Profit Factor"
        value={formatProfitFactor(figures)}
        note={`gains ÷ losses, ${sample}`}
      />
      <StatCard
        label="Average Peak"
        value={averagePeakMultiple === null ? '–' : formatMultiple(averagePeakMultiple)}
        note={
          followedCalls === 0
            ? 'no known peaks yet'
            : `of ${pluralize(followedCalls, 'call')} with a known peak`
        }
      />
      <StatCard
        label="Plain Average"
        value={<Change percent={figures.meanReturn} />}
        note={`Avg Return without its limit of +${MAX_FOLLOWER_RESULT_PERCENT}%`}
      />
    </StatBand>
  );
}

function MicroCaps({ record, openCount }: { record: MicroCapRecord; openCount: number }) {
  const { calls, callsWithoutResult, waitingGains, wonShare, averageResult, worstResult } = record;
  const stake = formatUsd(Math.min(...FOLLOWER_STAKES_USD));
  const notes = [
    openCount > 0 && `${openCount} open`,
    callsWithoutResult > 0 && `${callsWithoutResult} without a price a minute later`,
    waitingGains > 0 && `${pluralize(waitingGains, 'gain')} counted once earlier calls have ended`,
  ].filter((note) => note !== false);
  return (
    <StatBand label="Micro-caps (not ranked)" className="grid-cols-2 sm:grid-cols-4">
      <StatCard label="Micro-caps (not ranked)" value={pluralize(calls, 'call')} note={notes.join(', ')} />
      <StatCard label="Won" value={formatRate(wonShare)} note={`with ${stake} per call, a minute later`} />
      <StatCard label="Average" value={<Change percent={averageResult} />} />
      <StatCard label="Worst" value={<Change percent={worstResult} />} />
    </StatBand>
  );
}

function Holdings({ holdings }: { holdings: NonNullable<CallerStatistics['holdings']> }) {
  const { read, bought, sold, medianFirstSaleMs } = holdings;
  return (
    <div>
      <StatBand label="Skin in the game" className="grid-cols-2">
        <StatCard
          label="Bought"
          value={formatRate(read === 0 ? null : (bought / read) * 100)}
          note={`of ${pluralize(read, 'call')}, from an hour before to the end`}
        />
        <StatCard
          label="First Sale"
          value={medianFirstSaleMs === null ? '–' : formatDuration(medianFirstSaleMs)}
          note={`median after calling, of ${pluralize(sold, 'call')} with a sale`}
        />
      </StatBand>
      <p className="mt-2 text-xs text-text-muted">
        Skin in the game: from the caller's verified wallets, for the newest {HOLDINGS_SUMMED_CALLS} ended
        calls, from ${HOLDINGS_MIN_USD} up. Other wallets can't be seen.
      </p>
    </div>
  );
}

type RecordNotesProps = Pick<RecordFiguresProps, 'caller' | 'statistics'>;

function RecordNotes(props: RecordNotesProps) {
  return (
    <ul className="flex flex-col gap-2 text-sm text-text-muted empty:hidden">
      {notesOf(props).map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  );
}

function notesOf({ caller, statistics }: RecordNotesProps): string[] {
  const { followerCalls, callsWithoutResult, endedCalls, payoutAddress, viewer } = caller;
  const { unrankedCalls, microCapCalls, uncountedGains, windows, openCalls, holdings } = statistics;
  const hasMore =
    endedCalls > STATISTICS_MAX_CALLS && unrankedCalls + windows.all.endedCalls >= STATISTICS_MAX_CALLS;
  const notes: string[] = [];
  if (viewer.canSeeActiveCalls && openCalls !== null && openCalls.count > 0) notes.push(openNote(openCalls));
  if (callsWithoutResult > 0) {
    notes.push(
      `Follower Return: ${formatCount(callsWithoutResult)} of the newest ${pluralize(followerCalls + callsWithoutResult, 'ranked call')} ` +
        `${callsWithoutResult === 1 ? 'has' : 'have'} no result, because we have no price from a minute later.`,
    );
  }
  if (unrankedCalls > 0) {
    const microCaps = microCapCalls > 0 ? `, ${formatCount(microCapCalls)} of them on micro-caps` : '';
    notes.push(
      `${pluralize(unrankedCalls, 'unranked call')} ${unrankedCalls === 1 ? 'is' : 'are'} listed but not counted here${microCaps}. ` +
        "Each call's page says why.",
    );
  }
  if (uncountedGains > 0) {
    notes.push(
      `${pluralize(uncountedGains, 'gain')} ${uncountedGains === 1 ? 'counts' : 'count'} as 0%: the call was open for less than ` +
        `${MIN_COUNTED_HOLD_MS / MINUTE_MS} minutes, no second source confirmed the price at its end, or the token's issuer had changed how many tokens wallets show.`,
    );
  }
  if (payoutAddress === null && !holdings) {
    notes.push("No verified wallet, so we can't show what this caller holds.");
  }
  if (hasMore) notes.push(`Based on the newest ${formatCount(STATISTICS_MAX_CALLS)} ended calls.`);
  return notes;
}

function openNote({ count, pricedCount, averageReturn }: NonNullable<CallerStatistics['openCalls']>): string {
  const calls = pluralize(count, 'ranked call');
  if (averageReturn === null) return `Open calls: no price is known yet for ${calls}.`;
  const priced = pricedCount === count ? calls : `${formatCount(pricedCount)} of ${calls}`;
  return `Open calls: ${formatChange(averageReturn)} average across ${priced}, at the last known prices.`;
}
