import { Skeleton, SkeletonGroup } from '#web/ui/lists/skeleton.tsx';

export function ProfileSkeleton() {
  return (
    <SkeletonGroup label="Loading caller" className="desk py-4 md:py-6">
      <Skeleton className="h-11 w-24" />
      <div className="mt-4 flex gap-4">
        <Skeleton isRound className="size-20" />
        <div className="min-w-0 flex-1">
          <Skeleton className="h-8 w-56 max-w-full" />
          <Skeleton className="mt-3 h-4 w-40 max-w-full" />
        </div>
      </div>
      <Skeleton className="mt-6 h-45 md:h-25" />
      <Skeleton className="mt-4 h-64" />
    </SkeletonGroup>
  );
}
