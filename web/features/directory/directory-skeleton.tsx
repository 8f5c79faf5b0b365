import { SKELETON_ROWS } from '#schema/constants.ts';
import { Skeleton, SkeletonGroup } from '#web/ui/lists/skeleton.tsx';
import type { DirectoryView } from './directory-search.ts';

export function DirectorySkeleton({ view }: { view: DirectoryView }) {
  const Shape = view === 'table' ? RowSkeleton : CardSkeleton;
  return (
    <SkeletonGroup
      label="Loading callers"
      // The margin keeps the footer below the screen until the list has loaded. Otherwise, the footer would
      // jump.
      className={
        view === 'table'
          ? 'mb-[50dvh] divide-y divide-line rounded-md border border-line bg-surface-raised pt-11'
          : 'mb-[50dvh] grid grid-cols-1 gap-3 sm:grid-cols-2 md:gap-4 lg:grid-cols-3'
      }
    >
      {Array.from({ length: SKELETON_ROWS.directory }, (_, index) => (
        <Shape key={index} />
      ))}
    </SkeletonGroup>
  );
}

function CardSkeleton() {
  return (
    <div data-testid="caller-skeleton" className="rounded-md border border-line bg-surface-raised p-4">
      <Person />
      <div className="mt-3 flex items-end justify-between gap-4">
        <Skeleton className="h-14 w-36" />
        <Skeleton className="h-10 w-28" />
      </div>
      <Skeleton className="mt-4 h-3 w-48" />
      <Skeleton className="mt-5 h-9 w-full" />
    </div>
  );
}

function RowSkeleton() {
  return (
    <div data-testid="caller-skeleton" className="flex h-16 items-center gap-6 px-4">
      <Person />
      <Skeleton className="ml-auto h-5 w-16" />
      <Skeleton className="h-5 w-16 max-sm:hidden" />
      <Skeleton className="h-8 w-24 max-md:hidden" />
      <Skeleton className="h-9 w-24 max-lg:hidden" />
    </div>
  );
}

function Person() {
  return (
    <div className="flex items-center gap-3">
      <Skeleton isRound className="size-10" />
      <div>
        <Skeleton className="h-4 w-32" />
        <Skeleton className="mt-2 h-3 w-24" />
      </div>
    </div>
  );
}
