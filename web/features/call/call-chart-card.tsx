import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { CallChart, CallDetail } from '#schema/contracts/calls.ts';
import type { ShownPrice } from '#schema/contracts/prices.ts';
import { formatPrice } from '#schema/rules/prices/format-prices.ts';
import { callChartQuery } from '#web/api/calls.queries.ts';
import { LoadFailed } from '#web/lib/page/load-failed.tsx';
import { Card } from '#web/ui/lists/card.tsx';
import { LineChart } from '#web/ui/charts/line-chart.tsx';
import { Skeleton, SkeletonGroup } from '#web/ui/lists/skeleton.tsx';

/** Below this price, eight decimals are too few to distinguish axis labels. */
const SMALL_PRICE = 0.0001;
/** Below this price, labels use `formatPrice`, which writes the number of zeros as in '0.0₉12'. */
const TINY_PRICE = 1e-7;

export function CallChartCard({ call, price }: { call: CallDetail; price: ShownPrice | undefined }) {
  const query = useQuery(callChartQuery(call));
  return (
    <Card title="Price since the call" className="mt-4">
      {query.data && <Chart call={call} price={price} chart={query.data} />}
      {query.isPending && (
        <SkeletonGroup label="Loading chart">
          <Skeleton className="h-64 w-full" />
        </SkeletonGroup>
      )}
      {query.isLoadingError && <LoadFailed what="the chart" query={query} />}
    </Card>
  );
}

interface ChartProps {
  call: CallDetail;
  price: ShownPrice | undefined;
  chart: CallChart;
}

function Chart({ call, price, chart }: ChartProps) {
  const { entryPrice, callTimestamp, endPrice, endTimestamp, peak, targetPrice, stopPrice, tokenSymbol } =
    call;
  const points = useMemo(
    () =>
      [...chart.points, ...(price === undefined ? [] : [price])].map(({ at, price }) => ({
        at,
        value: Number(price),
      })),
    [chart, price],
  );
  const marks = useMemo(
    () => [
      { at: callTimestamp, value: Number(entryPrice), label: 'Entry', tone: 'entry' as const },
      ...(peak === undefined
        ? []
        : [{ at: peak.at, value: Number(peak.price), label: 'Peak', tone: 'peak' as const }]),
      ...(endPrice === undefined || endTimestamp === undefined
        ? []
        : [{ at: endTimestamp, value: Number(endPrice), label: 'End', tone: 'end' as const }]),
    ],
    [callTimestamp, entryPrice, peak, endPrice, endTimestamp],
  );
  const levels = useMemo(
    () => [
      ...(targetPrice === null ? [] : [{ label: 'Target', value: Number(targetPrice) }]),
      ...(stopPrice === null ? [] : [{ label: 'Stop', value: Number(stopPrice) }]),
    ],
    [targetPrice, stopPrice],
  );
  return (
    <LineChart
      label={`Price of ${tokenSymbol} since the call`}
      points={points}
      marks={marks}
      levels={levels}
      baseline={Number(entryPrice)}
      formatValue={formatAxisPrice}
    />
  );
}

function formatAxisPrice(value: number): string {
  const isSmall = Math.abs(value) >= TINY_PRICE && Math.abs(value) < SMALL_PRICE;
  return `$${isSmall ? toFourDigits(value) : formatPrice(value)}`;
}

/** '0.00001234' */
function toFourDigits(value: number): string {
  const decimals = 3 - Math.floor(Math.log10(Math.abs(value)));
  return value.toFixed(decimals).replace(/0+$/, '');
}
