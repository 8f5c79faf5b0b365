import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { SilenceNote } from '#web/ui/people/silence-note.tsx';
import type { CallerProfile } from '#schema/contracts/callers.ts';
import type { CurrentUser } from '#schema/contracts/users.ts';
import { formatRate, pluralize } from '#schema/rules/text/format.ts';
import { formatSolAmount } from '#schema/rules/text/format-amounts.ts';
import { rankedSample } from '#schema/rules/calls/ranking-texts.ts';
import { callerQuery } from '#web/api/callers.queries.ts';
import { LoadFailed } from '#web/lib/page/load-failed.tsx';
import { SolUsd } from '#web/lib/money/sol-usd.tsx';
import { buttonClassName } from '#web/ui/controls/button-class-name.ts';
import { Card } from '#web/ui/lists/card.tsx';
import { Change } from '#web/ui/figures/change.tsx';
import { SkeletonBars } from '#web/ui/lists/skeleton.tsx';
import { HowWeCount } from '#web/ui/figures/how-we-count.tsx';
import { FeeEditor } from './fee-editor.tsx';
import { WeekSwitch } from './week-switch.tsx';

export function CallerProfileCard({ user }: { user: CurrentUser }) {
  return (
    <Card
      title="Your Caller Profile"
      description={<HowWeCount />}
      aside={
        <Link
          to="/caller/$username"
          params={{ username: user.id }}
          className={buttonClassName({ size: 'sm' })}
        >
          View Public Profile
        </Link>
      }
    >
      <StatisticsState callerId={user.id} />
      <div className="mt-4 border-t border-line pt-4">
        <FeeEditor monthlyFee={user.monthlyFee} />
        {user.monthlyFee !== null && <WeekSwitch sellsWeek={user.sellsWeek ?? true} />}
      </div>
    </Card>
  );
}

function StatisticsState({ callerId }: { callerId: string }) {
  const caller = useQuery({ ...callerQuery(callerId), staleTime: 0 });
  if (caller.data) {
    const { silentSince } = caller.data;
    return (
      <>
        {silentSince !== null && <SilenceNote since={silentSince} />}
        <Statistics caller={caller.data} />
      </>
    );
  }
  if (!caller.isPending) return <LoadFailed what="statistics" query={caller} />;
  // As tall as the statistics with earnings in dollars, because a click misses a button that moves between press and release.
  return <SkeletonBars label="Loading statistics" bars={['h-55']} />;
}

function Statistics({ caller }: { caller: CallerProfile }) {
  const sample = rankedSample(caller.rankedCalls);
  const earnings = `${formatSolAmount(caller.earnings ?? '0')} SOL`;
  return (
    <dl className="grid min-h-55 grid-cols-2 content-start gap-x-4 gap-y-3">
      <Statistic label="Total Calls" note={`${caller.activeCallCount} active`}>
        {caller.totalCalls.toLocaleString('en-US')}
      </Statistic>
      <Statistic label="Subscribers" note={`and ${pluralize(caller.followerCount, 'follower')}`}>
        {caller.subscriberCount.toLocaleString('en-US')}
      </Statistic>
      <Statistic label="Win Rate" note={sample}>
        {formatRate(caller.winRate)}
      </Statistic>
      <Statistic label="Avg Return" note={sample}>
        <Change percent={caller.avgReturn} />
      </Statistic>
      <Statistic label="Earnings" note="your share after refunds">
        <Link to="/payments/earnings" aria-label={`${earnings}, view payments`} className="link">
          {earnings}
        </Link>
        <SolUsd sol={caller.earnings ?? null} isPast />
      </Statistic>
    </dl>
  );
}

function Statistic({ label, note, children }: { label: string; note?: string; children: ReactNode }) {
  return (
    <div className="last:col-span-2">
      <dt className="text-xs text-text-muted">{label}</dt>
      <dd className="figures text-lg font-semibold">{children}</dd>
      {note !== undefined && <dd className="figures text-xs text-text-muted">{note}</dd>}
    </div>
  );
}
