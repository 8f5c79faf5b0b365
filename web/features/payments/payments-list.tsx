import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { Page } from '#web/api/pages.ts';
import { LoadFailed } from '#web/lib/page/load-failed.tsx';
import { EmptyState, type EmptyStateProps } from '#web/ui/lists/empty-state.tsx';
import { ShowMore } from '#web/lib/page/show-more.tsx';
import { Card } from '#web/ui/lists/card.tsx';
import { RowSkeletons } from '#web/ui/lists/row-skeletons.tsx';
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
  if (query.isPending) {
    return (
      <Card isFlush className="mb-[50dvh]">
        <RowSkeletons count={6} label={`Loading ${labels.list.toLowerCase()}`} />
      </Card>
    );
  }
  // If a refetch fails, `query.data` still has the earlier payments.
  if (!query.data) return <LoadFailed what={labels.list.toLowerCase()} query={query} />;
  const rows = query.data.pages.flatMap((page) => page.rows.map(toRow));
  if (rows.length === 0) return <EmptyState {...empty} />;
  return (
    <>
      <PaymentsTable rows={rows} labels={labels} />
      <ShowMore query={query} failure="Couldn't load older payments. Try again.">
        Show older payments
      </ShowMore>
      <PaymentStateLegend />
    </>
  );
}
