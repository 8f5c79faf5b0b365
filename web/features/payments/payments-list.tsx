import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { Page } from '#web/api/pages.ts';
import { LoadFailed } from '#web/lib/page/load-failed.tsx';
import { useIsWide } from '#web/lib/page/use-is-wide.ts';
import { EmptyState, type EmptyStateProps } from '#web/ui/lists/empty-state.tsx';
import { ShowMore } from '#web/lib/page/show-more.tsx';
import { Skeleton, SkeletonGroup } from '#web/ui/lists/skeleton.tsx';
import { PaymentCards } from './payment-cards.tsx';
import type { RowLabels, PaymentRow } from './payment-row.tsx';
import { PaymentStateLegend } from './payment-state.tsx';
import { PaymentsTable } from './payments-table.tsx';

export interface PaymentsListProps<Payment> {
  query: UseInfiniteQueryResult<InfiniteData<Page<Payment>>>;
  labels: RowLabels;
  toRow: (payment: Payment) => PaymentRow;
  empty: EmptyStateProps;
}

export function PaymentsList<Payment>({ query, labels, toRow, empty }: PaymentsListProps<Payment>) {
  const isWide = useIsWide();
  if (query.isPending) return <PaymentsLoading label={`Loading ${labels.list.toLowerCase()}`} />;
  // If a refetch fails, `query.data` still has the earlier payments.
  if (!query.data) return <LoadFailed what={labels.list.toLowerCase()} query={query} />;
  const rows = query.data.pages.flatMap((page) => page.rows.map(toRow));
  if (rows.length === 0) return <EmptyState {...empty} />;
  const List = isWide ? PaymentsTable : PaymentCards;
  return (
    <>
      <List rows={rows} labels={labels} />
      <ShowMore query={query} failure="Couldn't load older payments. Try again.">
        Show older payments
      </ShowMore>
      <PaymentStateLegend />
    </>
  );
}

function PaymentsLoading({ label }: { label: string }) {
  return (
    <SkeletonGroup
      label={label}
      className="mb-[50dvh] divide-y divide-line rounded-md border border-line bg-surface-raised"
    >
      {Array.from({ length: 6 }, (_, index) => (
        <div key={index} className="flex h-16 items-center gap-3 px-4">
          <Skeleton className="h-4 w-24" />
          <Skeleton isRound className="size-8" />
          <Skeleton className="h-4 w-32" />
          <Skeleton className="ml-auto h-4 w-20" />
        </div>
      ))}
    </SkeletonGroup>
  );
}
