import { Skeleton, SkeletonGroup } from './skeleton.tsx';

export function RowSkeletons({ count, label }: { count: number; label: string }) {
  return (
    <SkeletonGroup label={label} className="divide-y divide-line">
      {Array.from({ length: count }, (_, index) => (
        <div key={index} data-testid="row-skeleton" className="flex h-20 items-center gap-3 px-4">
          <Skeleton className="size-8" />
          <Skeleton className="h-4 w-28" />
          <Skeleton className="ml-auto h-6 w-20" />
        </div>
      ))}
    </SkeletonGroup>
  );
}
