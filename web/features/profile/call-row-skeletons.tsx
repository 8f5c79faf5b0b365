import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx';

/** Rows of calls in the making. */
export function CallRowSkeletons({ count, label }: { count: number; label: string }) {
  return (
    <SkeletonGroup label={label} className="divide-y divide-line">
      {Array.from({ length: count }, (_, index) => (
        <div key={index} data-testid="call-skeleton" className="flex h-18 items-center gap-3 px-4">
          <Skeleton className="size-8" />
          <Skeleton className="h-4 w-28" />
          <Skeleton className="ml-auto h-4 w-40" />
        </div>
      ))}
    </SkeletonGroup>
  );
}
