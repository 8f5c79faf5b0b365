import { ArrowLeft } from '#web/ui/icons.tsx';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { CurrentUser } from '#schema/contracts/users.ts';
import { hasCode } from '#web/api/api-error.ts';
import { receiptQuery } from '#web/api/receipts.queries.ts';
import { LoadFailed, type LoadFailedProps } from '#web/lib/page/load-failed.tsx';
import { buttonClassName } from '#web/ui/controls/button-class-name.ts';
import { EmptyState } from '#web/ui/lists/empty-state.tsx';
import { SkeletonBars } from '#web/ui/lists/skeleton.tsx';
import { ReceiptView } from './receipt-view.tsx';

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
      {query.data && <ReceiptView receipt={query.data} isEarning={isEarning} />}
      {query.isPending && LOADING}
      {query.isLoadingError && <ReceiptFailed query={query} />}
    </div>
  );
}

function ReceiptFailed({ query }: Pick<LoadFailedProps, 'query'>) {
  if (hasCode(query.error, 'payments.not_found')) {
    return (
      <>
        <h1 className="sr-only">Receipt Not Found</h1>
        <EmptyState
          title="Receipt Not Found"
          description="You have no payment with this signature. You may be signed in to a different account."
        />
      </>
    );
  }
  return (
    <>
      <h1 className="sr-only">Receipt</h1>
      <LoadFailed what="this receipt" query={query} />
    </>
  );
}

const LOADING = (
  <SkeletonBars
    label="Loading receipt"
    className="mt-2"
    bars={['h-8 w-32', 'mt-4 h-10 w-48', 'mt-6 h-64', 'mt-4 h-72']}
  />
);
