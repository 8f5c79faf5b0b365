import { useQuery } from '@tanstack/react-query';
import type { CallChart, CallDetail } from '#schema/contracts/calls.ts';
import { formatPrice } from '#schema/rules/prices/format-prices.ts';
import { callChartQuery } from '#web/api/calls.queries.ts';
import { LoadFailed } from '#web/lib/page/load-failed.tsx';
import { Card } from '#web/ui/lists/card.tsx';
import type { LineChartMark } from '#web/ui/charts/line-layout.ts';
import { LineChart } from '#web/ui/charts/line-chart.tsx';
import { SkeletonBars } from '#web/ui/lists/skeleton.tsx';

/** Below this price, eight decimals are too few to distinguish axis labels. */
const SMALL_PRICE = 0.0001;
/** Below this price, labels use `formatPrice`, which writes the number of zeros as in '0.0₉12'. */
const TINY_PRICE = 1e-7;

export function CallChartCard({ call }: { call: CallDetail }) {
  const query = useQuery(callChartQuery(call));
  return (
    <Card title="Price since the call" className="mt-4">
      {query.data && (
        <LineChart
          label={`Price of ${call.tokenSymbol} since the call`}
          baseline={Number(call.entryPrice)}
          formatValue={formatAxisPrice}
          {...describeChart(call, query.data)}
        />
      )}
      {query.isPending && <SkeletonBars label="Loading chart" bars={['h-64']} />}
      {query.isLoadingError && <LoadFailed what="the chart" query={query} />}
    </Card>
  );
}

function describeChart(call: CallDetail, chart: CallChart) {
  const { entryPrice, callTimestamp, endPrice, endTimestamp, peak, targetPrice, stopPrice, lastPrice } = call;
  const toPoint = ({ at, price }: { at: string; price: string }) => ({ at, value: Number(price) });
  const marks: LineChartMark[] = [
    { ...toPoint({ at: callTimestamp, price: entryPrice }), label: 'Entry', tone: 'entry' },
  ];
  if (peak) marks.push({ ...toPoint(peak), label: 'Peak', tone: 'peak' });
  if (endPrice !== undefined && endTimestamp !== undefined) {
    marks.push({ ...toPoint({ at: endTimestamp, price: endPrice }), label: 'End', tone: 'end' });
  }
  const levels = [
    { label: 'Target', price: targetPrice },
    { label: 'Stop', price: stopPrice },
  ].flatMap(({ label, price }) => (price === null ? [] : [{ label, value: Number(price) }]));
  return { points: [...chart.points, ...(lastPrice ? [lastPrice] : [])].map(toPoint), marks, levels };
}

function formatAxisPrice(value: number): string {
  const isSmall = Math.abs(value) >= TINY_PRICE && Math.abs(value) < SMALL_PRICE;
  return `$${isSmall ? value.toLocaleString('en-US', { maximumSignificantDigits: 4 }) : formatPrice(value)}`;
}
