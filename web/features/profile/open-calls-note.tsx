import type { CallerStatistics } from '#schema/contracts/callers.ts';
import { countOf } from '#schema/rules/format.ts';
import { Change } from '#web/ui/change.tsx';

/** Open calls marked to market, for who may see them. */
export function OpenCallsNote({
  openCalls: { count, pricedCount, averageReturn },
}: {
  openCalls: NonNullable<CallerStatistics['openCalls']>;
}) {
  const open = countOf(count, 'open ranked call');
  if (averageReturn === null) return <p>{open}, of which no price is known yet.</p>;
  return (
    <p>
      Open now: <Change percent={averageReturn} className="font-semibold" /> on average,{' '}
      {pricedCount === count
        ? `of ${open}`
        : `of ${pricedCount.toLocaleString('en-US')} with a price among ${open}`}
      , at the last known prices.
    </p>
  );
}
