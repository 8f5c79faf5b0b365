import { SKELETON_ROWS } from '#schema/constants.ts';
import { Card } from '#web/ui/lists/card.tsx';
import { RowSkeletons } from '#web/ui/lists/row-skeletons.tsx';
import { Skeleton, SkeletonGroup } from '#web/ui/lists/skeleton.tsx';
import type { DirectoryView } from './directory-search.ts';

/** The margin keeps the footer below the screen until the list has loaded. Otherwise, the footer would jump. */
export function DirectorySkeleton({ view }: { view: DirectoryView }) {
  if (view === 'table') {
    return (
      <Card isFlush className="mb-[50dvh]">
        <RowSkeletons count={SKELETON_ROWS.directory} label="Loading callers" />
      </Card>
    );
  }
  return (
    <SkeletonGroup
      label="Loading callers"
      className="mb-[50dvh] grid grid-cols-1 gap-3 sm:grid-cols-2 md:gap-4 lg:grid-cols-3"
    >
      {Array.from({ length: SKELETON_ROWS.directory }, (_, index) => (
        <CardSkeleton key={index} />
      ))}
    </SkeletonGroup>
  );
}

function CardSkeleton() {
  return (
    <div data-testid="caller-skeleton" className="rounded-md border border-line bg-surface-raised p-4">
      <div className="flex items-center gap-3">
        <Skeleton isRound className="size-10" />
        <div>
          <Skeleton className="h-4 w-32" />
          <Skeleton className="mt-2 h-3 w-24" />
        </div>
      </div>
      <div className="mt-3 flex items-end justify-between gap-4">
        <Skeleton className="h-14 w-36" />
        <Skeleton className="h-10 w-28" />
      </div>
      <Skeleton className="mt-4 h-3 w-48" />
      <Skeleton className="mt-5 h-9 w-full" />
    </div>
  );
}
