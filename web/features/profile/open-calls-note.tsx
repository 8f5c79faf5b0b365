import type { CallerStatistics } from '#schema/contracts/callers.ts';
import { pluralize, formatCount } from '#schema/rules/text/format.ts';
import { Change } from '#web/ui/figures/change.tsx';

/** The return of open calls at the last known prices. Only viewers who can see active calls get it. */
type OpenCalls = NonNullable<CallerStatistics['openCalls']>;

export function OpenCallsNote({
  openCalls: { count, pricedCount, averageReturn },
}: {
  openCalls: OpenCalls;
}) {
  const calls = pluralize(count, 'ranked call');
  if (averageReturn === null) return <p>Open calls: no price is known yet for {calls}.</p>;
  const priced = pricedCount === count ? calls : `${formatCount(pricedCount)} of ${calls}`;
  return (
    <p>
      Open calls: <Change percent={averageReturn} className="font-semibold" /> average across {priced}, at the
      last known prices.
    </p>
  );
}
