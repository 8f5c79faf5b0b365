import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import type { CurrentUser } from '#schema/contracts/users.ts';
import { hasCode, reasonOf } from '#web/api/api-error.ts';
import { receiptQuery } from '#web/api/receipts.queries.ts';
import { buttonClassName } from '#web/ui/button-class-name.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx';
import { ReceiptView } from './receipt-view.tsx';

/** One payment on a page of its own, to be kept and printed. */
export function ReceiptPage({ signature, user }: { signature: string; user: CurrentUser }) {
  const query = useQuery(receiptQuery(signature));
  const isEarning = query.data?.caller.id === user.id;
  return (
    <div className="desk max-w-2xl py-4 md:py-6 print:py-0">
      <Link
        to={isEarning ? '/payments/earnings' : '/payments'}
        className={buttonClassName({ variant: 'ghost', className: '-ml-4 print:hidden' })}
      >
        <ArrowLeft aria-hidden="true" size={16} />
        {isEarning ? 'All earnings' : 'All payments'}
      </Link>
      {show()}
    </div>
  );

  function show(): ReactNode {
    if (query.data) return <ReceiptView receipt={query.data} isEarning={isEarning} />;
    if (query.isPending) return <ReceiptLoading />;
    if (hasCode(query.error, 'payments.not_found')) {
      return (
        <>
          <h1 className="sr-only">Receipt Not Found</h1>
          <EmptyState
            title="Receipt Not Found"
            description="No payment of yours has this signature. You may be signed in as somebody else than who paid."
          />
        </>
      );
    }
    return (
      <>
        <h1 className="sr-only">Receipt</h1>
        <ErrorState
          title="Failed to load this receipt"
          description={reasonOf(query.error, 'There was no answer.')}
          onRetry={() => void query.refetch()}
        />
      </>
    );
  }
}

function ReceiptLoading() {
  return (
    <SkeletonGroup label="Loading receipt" className="mt-2">
      <Skeleton className="h-8 w-32" />
      <Skeleton className="mt-4 h-10 w-48" />
      <Skeleton className="mt-6 h-64 w-full" />
      <Skeleton className="mt-4 h-72 w-full" />
    </SkeletonGroup>
  );
}
