import { useMemo } from 'react';
import { SECOND_MS } from '#schema/constants.ts';
import type { CallerStatistics } from '#schema/contracts/callers.ts';
import { pluralize, formatChange, formatCompact, formatPowerOfTen } from '#schema/rules/text/format.ts';
import { stakeLogarithms } from '#schema/rules/calls/performance.ts';
import { Change } from '#web/ui/figures/change.tsx';
import { LineChart } from '#web/ui/charts/line-chart.tsx';

/** From this stake on, the curve shows multiples, because percentages of six digits are hard to read. */
const MULTIPLE_FROM = 1_000;
/** From this decimal logarithm on, the stake may be too large for a JavaScript number. */
const POWER_FROM = 300;

export interface RecordCurveProps {
  /** The returns of at least one call, in the order in which the calls ended. */
  returns: CallerStatistics['returns'];
  /** Unix ms at which the curve starts. */
  since: number;
}

/**
 * Shows the value of one stake that is reinvested in every call. The scale is logarithmic, so doubling and
 * halving change the height by the same amount.
 */
export function RecordCurve({ returns, since }: RecordCurveProps) {
  const points = useMemo(() => curveOf(returns, since), [returns, since]);
  const end = points.at(-1)?.value ?? 0;
  return (
    <div className="min-w-0 sm:rounded-md sm:border sm:border-line sm:p-4">
      <p className="flex flex-wrap items-baseline justify-between gap-x-3 text-xs text-text-muted">
        <span>One stake reinvested across {pluralize(returns.length, 'ranked call')}</span>
        {10 ** end < MULTIPLE_FROM ? (
          <Change percent={percentOf(end)} className="text-base font-semibold" />
        ) : (
          <span className="figures text-base font-semibold text-gain">{formatHeight(end)}</span>
        )}
      </p>
      <LineChart
        label={`Return over time of one stake reinvested across ${pluralize(returns.length, 'ranked call')}`}
        points={points}
        formatValue={formatHeight}
        baseline={0}
      />
      <p className="mt-1 text-xs text-text-muted">
        The full stake goes into each call, in the order in which they ended. Logarithmic scale.
      </p>
    </div>
  );
}

/** Returns the stake's value after each call as a decimal logarithm. Starts at 0, the original stake. */
function curveOf(returns: CallerStatistics['returns'], since: number): { at: string; value: number }[] {
  const heights = stakeLogarithms(returns.map(({ changePercent }) => changePercent));
  const start = Math.min(since, Date.parse(returns[0]?.at ?? '') - SECOND_MS);
  return [
    { at: new Date(start).toISOString(), value: 0 },
    ...returns.map(({ at }, index) => ({ at, value: heights[index] ?? 0 })),
  ];
}

const percentOf = (logarithm: number) => (10 ** logarithm - 1) * 100;

/** Formats a logarithm as '+34.2%', '12.3Kx' or '1.0e27x', depending on its size. */
function formatHeight(logarithm: number): string {
  if (10 ** logarithm < MULTIPLE_FROM) return formatChange(percentOf(logarithm));
  return logarithm < POWER_FROM ? `${formatCompact(10 ** logarithm)}x` : `${formatPowerOfTen(logarithm)}x`;
}
