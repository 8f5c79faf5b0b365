import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import type { CallerProfile } from '#schema/contracts/callers.ts';
import { callerStatisticsQuery } from '#web/api/callers.queries.ts';
import { callerHistoryQuery } from '#web/api/calls.queries.ts';
import { LoadFailed } from '#web/lib/page/load-failed.tsx';
import { LazyFold } from '#web/ui/lists/fold.tsx';
import { SkeletonBars } from '#web/ui/lists/skeleton.tsx';

const RecordFigures = lazy(async () => ({ default: (await import('./record-figures.tsx')).RecordFigures }));

export function MoreFigures({ caller }: { caller: CallerProfile }) {
  return (
    // Open for callers with micro-caps alone, whose record is in it.
    <LazyFold title="More figures" isInitiallyOpen={caller.rankedCalls === 0 && caller.endedCalls > 0}>
      <Figures caller={caller} />
    </LazyFold>
  );
}

function Figures({ caller }: { caller: CallerProfile }) {
  const { data: calls = [] } = useQuery(callerHistoryQuery(caller.id));
  const query = useQuery(callerStatisticsQuery(caller.id));
  if (query.isPending) return LOADING;
  if (!query.data) return <LoadFailed what="the figures" query={query} />;
  return (
    <Suspense fallback={LOADING}>
      <RecordFigures caller={caller} calls={calls} statistics={query.data} now={query.dataUpdatedAt} />
    </Suspense>
  );
}

const LOADING = <SkeletonBars label="Loading figures" bars={['h-80']} />;
