import { classNames } from '../class-names.ts';
import { Skeleton, SkeletonGroup } from './skeleton.tsx';

export interface RowSkeletonsProps {
  count: number;
  label: string;
  /** The rows that follow: items of a list, or a table's rows with their layout on phones. Default: a list. */
  rows?: 'row-cards' | 'row-lines' | undefined;
}

const HEIGHTS = { 'row-cards': 'h-48 md:h-20', 'row-lines': 'h-19 md:h-17' } as const;

/** As high as the rows that follow, so that the content below doesn't move. */
export function RowSkeletons({ count, label, rows }: RowSkeletonsProps) {
  return (
    <SkeletonGroup label={label} className="divide-y divide-line">
      {Array.from({ length: count }, (_, index) => (
        <div
          key={index}
          data-testid="row-skeleton"
          className={classNames(
            'flex flex-wrap content-center items-center gap-3 px-4',
            rows ? HEIGHTS[rows] : 'h-20',
          )}
        >
          <Skeleton className="size-8" />
          <Skeleton className="h-4 w-28" />
          <Skeleton className="ml-auto h-6 w-20" />
          {rows === 'row-cards' &&
            ['w-full', 'w-full', 'w-1/2'].map((width, line) => (
              <Skeleton key={line} className={`h-4 md:hidden ${width}`} />
            ))}
        </div>
      ))}
    </SkeletonGroup>
  );
}
