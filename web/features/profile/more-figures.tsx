import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import type { CallerProfile } from '#schema/contracts/callers.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import { callerStatisticsQuery } from '#web/api/callers.queries.ts';
import { LoadFailed } from '#web/lib/page/load-failed.tsx';
import { LazyFold } from '#web/ui/lists/fold.tsx';
import { SkeletonBars } from '#web/ui/lists/skeleton.tsx';

const RecordFigures = lazy(async () => ({ default: (await import('./record-figures.tsx')).RecordFigures }));

export interface MoreFiguresProps {
  caller: CallerProfile;
  calls: readonly TokenCall[] | undefined;
}

export function MoreFigures(props: MoreFiguresProps) {
  return (
    // Open for callers with micro-caps alone, whose record is in it.
    <LazyFold
      title="More figures"
      isInitiallyOpen={props.caller.rankedCalls === 0 && props.caller.endedCalls > 0}
    >
      <Figures {...props} />
    </LazyFold>
  );
}

function Figures({ caller, calls = [] }: MoreFiguresProps) {
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
