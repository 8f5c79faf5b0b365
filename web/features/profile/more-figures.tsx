import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import type { CallerProfile } from '#schema/contracts/callers.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import { callerStatisticsQuery } from '#web/api/callers.queries.ts';
import { LoadFailed } from '#web/lib/page/load-failed.tsx';
import { Fold } from '#web/ui/lists/fold.tsx';
import { SkeletonBars } from '#web/ui/lists/skeleton.tsx';

const RecordFigures = lazy(async () => ({ default: (await import('./record-figures.tsx')).RecordFigures }));

export interface MoreFiguresProps {
  caller: CallerProfile;
  /** The newest calls, for the chart. Undefined until loaded. */
  calls: readonly TokenCall[] | undefined;
}

/** A fold that loads its code and data when it's opened for the first time. */
export function MoreFigures({ caller, calls = [] }: MoreFiguresProps) {
  const [isOpen, setIsOpen] = useState(false);
  const query = useQuery({ ...callerStatisticsQuery(caller.id), enabled: isOpen });
  return (
    <Fold
      title="More figures"
      // It may have been opened before React listened.
      foldRef={(fold) => {
        if (fold?.open === true) setIsOpen(true);
      }}
      onOpen={() => setIsOpen(true)}
    >
      {isOpen && query.isPending && LOADING}
      {query.isLoadingError && <LoadFailed what="the figures" query={query} />}
      {query.data && (
        <Suspense fallback={LOADING}>
          <RecordFigures caller={caller} calls={calls} statistics={query.data} now={query.dataUpdatedAt} />
        </Suspense>
      )}
    </Fold>
  );
}

const LOADING = <SkeletonBars label="Loading figures" bars={['h-80']} />;
