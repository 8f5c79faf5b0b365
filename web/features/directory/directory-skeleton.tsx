import { SKELETONS } from '#schema/constants.ts';
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx';

/** Cards in the making: as many and as tall as what will come. */
export function DirectorySkeleton() {
  return (
    <SkeletonGroup label="Loading callers" className="grid grid-cols-1 gap-3 sm:grid-cols-2 md:gap-4 lg:grid-cols-3">
      {Array.from({ length: SKELETONS.directory }, (_, index) => (
        <div key={index} data-testid="caller-skeleton" className="rounded-md border border-line bg-surface-raised p-4">
          <div className="flex items-center gap-3">
            <Skeleton isRound className="size-10" />
            <div className="min-w-0 flex-1">
              <Skeleton className="h-4 w-32" />
              <Skeleton className="mt-2 h-3 w-24" />
            </div>
            <Skeleton className="h-8 w-24" />
          </div>
          <Skeleton className="mt-5 h-12 w-full" />
          <Skeleton className="mt-5 h-11 w-full" />
        </div>
      ))}
    </SkeletonGroup>
  );
}
