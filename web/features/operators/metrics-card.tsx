import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { MetricsChart, MetricsChartId, MetricsHours } from '#schema/contracts/operators.ts';
import { metricsQuery } from '#web/api/operators.queries.ts';
import { LoadFailed } from '#web/lib/page/load-failed.tsx';
import { Card } from '#web/ui/lists/card.tsx';
import { EmptyState } from '#web/ui/lists/empty-state.tsx';
import { LineChart } from '#web/ui/charts/line-chart.tsx';
import { RowSkeletons } from '#web/ui/lists/row-skeletons.tsx';
import { SegmentedToggle } from '#web/ui/controls/segmented-toggle.tsx';

const SPANS: readonly { value: MetricsHours; label: string }[] = [
  { value: '1', label: '1 h' },
  { value: '24', label: '24 h' },
  { value: '168', label: '7 d' },
];

export function MetricsCard() {
  const [hours, setHours] = useState<MetricsHours>('24');
  const query = useQuery(metricsQuery(hours));
  const { missing = [], charts = [] } = query.data ?? {};
  return (
    <Card
      title="Metrics"
      description="From Workers Analytics Engine"
      aside={
        <SegmentedToggle label="Span of the charts" value={hours} onValueChange={setHours} options={SPANS} />
      }
    >
      {query.isPending && <RowSkeletons count={2} label="Loading the metrics" />}
      {query.isLoadingError && <LoadFailed what="the metrics" query={query} />}
      {missing.length > 0 && (
        <EmptyState
          title="No charts here"
          description={`To read its own metrics, this environment needs ${missing.join(' and ')}. docs/OPERATIONS.md says how to set them.`}
        />
      )}
      {charts.length > 0 && (
        <div className="grid gap-x-8 gap-y-6 lg:grid-cols-2">
          {charts.map((chart) => (
            <Chart key={chart.id} chart={chart} />
          ))}
        </div>
      )}
    </Card>
  );
}

const TITLES: Readonly<Record<MetricsChartId, string>> = {
  requests: 'Requests',
  latency: 'Slowest route (99th percentile)',
  cron_lag: 'How late the cron began',
  failed_jobs: 'Failed runs of jobs',
  source_failures: 'Failures of sources',
  payments: 'Payments by state',
  send_lag: 'How long messages waited',
};

function Chart({ chart: { id, unit, points, parts } }: { chart: MetricsChart }) {
  const format = unit === 'ms' ? formatDuration : formatCount;
  return (
    <section className="min-w-0">
      <h3 className="mb-2 text-sm font-medium">{TITLES[id]}</h3>
      {parts.length === 0 ? (
        <p className="text-sm text-text-muted">Nothing was recorded in this time.</p>
      ) : (
        <>
          <LineChart label={TITLES[id]} points={points} formatValue={format} isNeutral />
          <dl className="figures mt-2 grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 text-xs">
            {parts.map(({ name, value }) => (
              <div key={name} className="contents">
                <dt className="wrap-anywhere text-text-muted">{name}</dt>
                <dd className="text-right">{format(value)}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </section>
  );
}

const formatCount = (value: number) => Math.round(value).toLocaleString('en-US');

function formatDuration(ms: number): string {
  return ms < 1_000
    ? `${Math.round(ms)} ms`
    : `${(ms / 1_000).toLocaleString('en-US', { maximumFractionDigits: 1 })} s`;
}
