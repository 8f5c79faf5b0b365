import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import type { InfiniteData } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { reasonOf } from '#web/api/api-error.ts';
import type { PaymentsPage } from '#web/api/receipts.queries.ts';
import { useIsWide } from '#web/lib/use-is-wide.ts';
import { ErrorState } from '#web/ui/error-state.tsx';
import { ShowMore } from '#web/ui/show-more.tsx';
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx';
import { PaymentCards } from './payment-cards.tsx';
import type { RowLabels, PaymentRow } from './payment-row.tsx';
import { PaymentStateLegend } from './payment-state.tsx';
import { PaymentsTable } from './payments-table.tsx';

export interface PaymentsListProps<Payment> {
  query: UseInfiniteQueryResult<InfiniteData<PaymentsPage<Payment>>>;
  labels: RowLabels;
  toLine: (payment: Payment) => PaymentRow;
  /** Stands where there is none. */
  empty: ReactNode;
}

/** Payments page by page: while they load, when they failed, when there are none, and when they are there. */
export function PaymentsList<Payment>({
  query,
  labels,
  toLine,
  empty,
}: PaymentsListProps<Payment>): ReactNode {
  const isWide = useIsWide();
  if (query.isPending) return <PaymentsLoading label={`Loading ${labels.list.toLowerCase()}`} />;
  // A refetch that fails leaves what was loaded before; only a first failure is an error.
  if (!query.data) {
    return (
      <ErrorState
        title={`Failed to load ${labels.list.toLowerCase()}`}
        description={reasonOf(query.error, 'There was no answer.')}
        onRetry={() => void query.refetch()}
      />
    );
  }
  const lines = query.data.pages.flatMap(({ payments }) => payments.map(toLine));
  if (lines.length === 0) return empty;
  const List = isWide ? PaymentsTable : PaymentCards;
  return (
    <>
      <List lines={lines} labels={labels} />
      {query.isFetchNextPageError && (
        <p role="alert" className="mt-6 text-center text-sm text-loss">
          {reasonOf(query.error, 'Older ones could not be loaded.')}
        </p>
      )}
      {query.hasNextPage && (
        <ShowMore isPending={query.isFetchingNextPage} onMore={() => query.fetchNextPage()}>
          Show older payments
        </ShowMore>
      )}
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
