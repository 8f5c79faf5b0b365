import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useDeferredValue } from 'react';
import type { CallerProfile } from '#schema/contracts/callers.ts';
import { callerResultsQuery } from '#web/api/callers.queries.ts';
import { LoadFailed } from '#web/lib/page/load-failed.tsx';
import { Card } from '#web/ui/lists/card.tsx';
import { EmptyState } from '#web/ui/lists/empty-state.tsx';
import { HowWeCount } from '#web/ui/figures/how-we-count.tsx';
import { Skeleton, SkeletonGroup } from '#web/ui/lists/skeleton.tsx';
import { useIsNear } from '#web/ui/use-is-near.ts';

const Calculator = lazy(() => import('./calculator.tsx').then((file) => ({ default: file.Calculator })));

/** A profile's card with the calculator, which loads when it comes near the window. */
export function CalculatorCard({ caller }: { caller: CallerProfile }) {
  const { ref, isNear } = useIsNear<HTMLDivElement>();
  const query = useQuery({ ...callerResultsQuery(caller.id), enabled: isNear });
  // React draws the curve in between other tasks, so that a phone stays usable.
  const results = useDeferredValue(query.data);
  return (
    <Card
      title="What would I have made?"
      aside={<HowWeCount hash="calculator" className="inline-flex min-h-11 items-center md:min-h-0" />}
    >
      <div ref={ref}>
        {results?.calls.length === 0 && (
          <EmptyState
            title="Nothing to calculate yet"
            description="This starts when the first ranked call has ended."
          />
        )}
        {results && results.calls.length > 0 && (
          <Suspense fallback={LOADING}>
            <Calculator caller={caller} results={results} now={query.dataUpdatedAt} />
          </Suspense>
        )}
        {!isNear && PLACEHOLDER}
        {isNear && !results && !query.isLoadingError && LOADING}
        {query.isLoadingError && <LoadFailed what="the results" query={query} />}
      </div>
    </Card>
  );
}

/** About as high as the calculator, so that the content below doesn't move. */
const PLACEHOLDER = (
  <div className="min-h-[45.5rem] sm:min-h-[39rem] lg:min-h-[24.5rem]">
    <Skeleton className="h-72 lg:mr-[26rem]" />
  </div>
);

const LOADING = <SkeletonGroup label="Calculating">{PLACEHOLDER}</SkeletonGroup>;
