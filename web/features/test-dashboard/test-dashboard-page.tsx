import { FlaskConical } from 'lucide-react';
import { useState } from 'react';
import { formatRate } from '#schema/rules/text/format.ts';
import { formatSolAmount } from '#schema/rules/text/format-amounts.ts';
import { PAGES } from '#schema/rules/text/page-texts.ts';
import { usePageTitle } from '#web/lib/page/use-page-title.ts';
import { SegmentedToggle } from '#web/ui/controls/segmented-toggle.tsx';
import { StatBand, StatCard } from '#web/ui/lists/stat-card.tsx';
import { sampleStats } from './sample-data.ts';
import { SampleActiveCalls, SampleCallHistory } from './sample-calls.tsx';
import { SampleCallerCard } from './sample-caller-card.tsx';
import { SampleRecentBuys } from './sample-recent-buys.tsx';

type View = 'subscriber' | 'caller';

const VIEWS = [
  { value: 'subscriber', label: 'Subscriber View' },
  { value: 'caller', label: 'Caller View' },
] as const;

/** The caller dashboard with sample data. It needs no account, and its buttons change nothing. */
export function TestDashboardPage() {
  usePageTitle(PAGES['/test-dashboard'].title);
  const [view, setView] = useState<View>('caller');
  return (
    <>
      <div role="note" className="border-b border-line bg-warn-soft text-warn">
        <p className="desk flex min-h-11 flex-wrap items-center gap-x-3 gap-y-0.5 py-2 text-sm">
          <span className="inline-flex items-center gap-2 font-semibold">
            <FlaskConical aria-hidden="true" size={16} />
            Development Test Mode
          </span>
          <span>All data is made up. Nothing here is saved or sent.</span>
        </p>
      </div>
      <div className="desk py-6 md:py-10">
        <header className="mb-6 flex flex-wrap items-center justify-between gap-4">
          <div>
            <h1 className="text-xl font-semibold tracking-tight md:text-2xl">Caller Dashboard</h1>
            <p className="mt-1 text-text-muted">Manage your calls and track your performance as a caller.</p>
          </div>
          <SegmentedToggle<View>
            label="View"
            value={view}
            onValueChange={setView}
            options={VIEWS}
            className="max-sm:w-full"
          />
        </header>
        <StatBand label="Statistics" className="mb-4 grid-cols-2 lg:mb-6 lg:grid-cols-4">
          <StatCard label="Total Calls" value={sampleStats.totalCalls.toLocaleString('en-US')} />
          <StatCard label="Win Rate" value={formatRate(sampleStats.winRate)} />
          <StatCard label="Subscribers" value={sampleStats.subscribers.toLocaleString('en-US')} />
          <StatCard label="Total Earnings (SOL)" value={formatSolAmount(sampleStats.totalEarnings)} />
        </StatBand>
        <div className="grid items-start gap-4 *:min-w-0 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)] lg:gap-6">
          <div className="grid gap-4 *:min-w-0 lg:gap-6">
            <SampleActiveCalls />
            <SampleRecentBuys />
            <SampleCallHistory />
          </div>
          <SampleCallerCard />
        </div>
      </div>
    </>
  );
}
