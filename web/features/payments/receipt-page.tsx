import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { PRODUCT_NAME } from '#schema/constants/app.ts';
import type { Receipt } from '#schema/contracts/payments.ts';
import { START_AT_ONCE } from '#schema/rules/text/start-at-once.ts';
import { formatSolAmount } from '#schema/rules/text/format-amounts.ts';
import { fullName, isDeletedPerson } from '#schema/rules/people/person-name.ts';
import { ArrowLeft } from '#web/ui/icons.tsx';
import { hasCode } from '#web/api/api-error.ts';
import { receiptQuery, requestRefundMutation } from '#web/api/payments.queries.ts';
import { LoadFailed, type LoadFailedProps } from '#web/lib/page/load-failed.tsx';
import { buttonClassName } from '#web/ui/controls/button-class-name.ts';
import { EmptyState } from '#web/ui/lists/empty-state.tsx';
import { SkeletonBars } from '#web/ui/lists/skeleton.tsx';
import { Printer } from '#web/ui/more-icons.ts';
import { formatTime } from '#web/lib/text/dates.ts';
import { SUBSCRIBE_HASH } from '#web/lib/text/subscribe-hash.ts';
import { Address } from '#web/ui/figures/address.tsx';
import { AmountRow } from '#web/lib/money/amount-row.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { ExplorerLink } from '#web/ui/figures/explorer-link.tsx';
import { lazyDialog } from '#web/lib/page/lazy-dialog.tsx';
import { PAGES } from '#schema/rules/text/page-texts.ts';
import { usePageTitle } from '#web/lib/page/use-page-title.ts';
import { useUser } from '#web/lib/session/use-user.ts';
import { PaymentStateNote } from './payment-state.tsx';

export function ReceiptPage({ signature }: { signature: string }) {
  usePageTitle(PAGES['/payments/:signature'].title);
  const user = useUser();
  const query = useQuery(receiptQuery(signature));
  const isEarning = query.data?.caller.id === user.id;
  return (
    <div className="desk max-w-2xl py-4 md:py-6 print:py-0">
      <Link
        to={isEarning ? '/payments/earnings' : '/payments'}
        className={buttonClassName({ variant: 'ghost', className: '-ml-4 print:hidden' })}
      >
        <ArrowLeft size={16} />
        {isEarning ? 'All earnings' : 'All payments'}
      </Link>
      {query.data && (
        <article>
          <ReceiptHeader receipt={query.data} isEarning={isEarning} />
          <div className="mt-4">
            <PaymentStateNote {...query.data} />
          </div>
          <ReceiptAmounts receipt={query.data} />
          <ReceiptDetails receipt={query.data} />
        </article>
      )}
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

const AskForRefundDialog = lazyDialog(
  async () => (await import('./ask-for-refund-dialog.tsx')).AskForRefundDialog,
);
const RefundDialog = lazyDialog(async () => (await import('./refund-dialog.tsx')).RefundDialog);

interface ReceiptViewProps {
  receipt: Receipt;
  isEarning: boolean;
}

/**
 * Payments that are final and weren't refunded can be refunded: the caller pays back, and the subscriber asks for it. The
 * dialog stays open afterwards.
 */
function RefundButton({ receipt, isEarning }: ReceiptViewProps) {
  const [isOpen, setIsOpen] = useState(false);
  const dialog = { receipt, open: isOpen, onOpenChange: setIsOpen };
  const request = useMutation(requestRefundMutation(receipt.signature));
  const isFinal = receipt.state === 'finalized';
  if (isEarning) {
    return (
      <>
        {isFinal && <Button onClick={() => setIsOpen(true)}>Refund</Button>}
        <RefundDialog {...dialog} />
      </>
    );
  }
  return (
    <>
      {isFinal && receipt.refundRequest === null && (
        <Button onClick={() => setIsOpen(true)}>Ask for a refund</Button>
      )}
      {isFinal && receipt.refundRequest?.canTakeBack === true && (
        <Button
          isPending={request.isPending}
          pendingText="Taking back..."
          onClick={() => request.mutate(false)}
        >
          Take back the request
        </Button>
      )}
      <AskForRefundDialog {...dialog} />
    </>
  );
}

function ReceiptHeader({ receipt, isEarning }: ReceiptViewProps) {
  const { caller, totalAmount } = receipt;
  const profile = { to: '/caller/$username', params: { username: caller.id } } as const;
  return (
    <header className="mt-2 flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
      <div className="min-w-0">
        {/* The navigation bar isn't printed, so this line names the product on the printed receipt. */}
        <p className="hidden text-sm font-semibold print:block">{PRODUCT_NAME}</p>
        <h1 className="text-xl font-semibold tracking-tight md:text-2xl">Receipt</h1>
        <p className="mt-1 text-sm text-text-muted md:text-base">
          <span className="figures">{formatSolAmount(totalAmount)} SOL</span> to{' '}
          <Link {...profile} className="link">
            <bdi>{fullName(caller)}</bdi>
          </Link>
          {isEarning && ' (you)'}
        </p>
      </div>
      <div className="flex flex-wrap gap-2 print:hidden">
        <Button onClick={() => window.print()}>
          <Printer size={16} />
          Print
        </Button>
        <RefundButton receipt={receipt} isEarning={isEarning} />
        {!isEarning && !isDeletedPerson(caller) && (
          <Link {...profile} hash={SUBSCRIBE_HASH} className={buttonClassName({ variant: 'primary' })}>
            Renew
          </Link>
        )}
      </div>
    </header>
  );
}

function ReceiptAmounts({ receipt }: { receipt: Receipt }) {
  const name = fullName(receipt.caller);
  return (
    <dl
      aria-label="Amounts"
      className="mt-6 divide-y divide-line rounded-md border border-line bg-surface-raised text-sm"
    >
      <AmountRow label={<bdi>{name}</bdi>} amount={formatSolAmount(receipt.callerAmount)} isPast>
        <Address value={receipt.callerAddress} label={`payout address of ${name}`} isFull />
      </AmountRow>
      <AmountRow label={PRODUCT_NAME} amount={formatSolAmount(receipt.platformAmount)} isPast>
        <Address value={receipt.platformAddress} label={`address of ${PRODUCT_NAME}`} isFull />
      </AmountRow>
      <AmountRow label="Total" amount={formatSolAmount(receipt.totalAmount)} isTotal isPast />
      {receipt.owed !== null && (
        <AmountRow label="Owed by the caller" amount={formatSolAmount(receipt.owed)} isPast>
          For the time in which the caller's account is deleted
        </AmountRow>
      )}
      {receipt.paidBackTwice !== null && (
        <AmountRow label="Paid back twice" amount={formatSolAmount(receipt.paidBackTwice)} isPast>
          More than had to be paid back
        </AmountRow>
      )}
      {receipt.refunds.map(({ signature, amount, explorerUrl, paidAt }) => (
        <AmountRow key={signature} label="Refunded by the caller" amount={formatSolAmount(amount)} isPast>
          <time dateTime={paidAt}>{formatTime(paidAt)}</time>
          <ExplorerLink href={explorerUrl} className="-mb-2" />
        </AmountRow>
      ))}
    </dl>
  );
}

function ReceiptDetails({ receipt }: { receipt: Receipt }) {
  const { days, paidAt, period, payerAddress, signature, explorerUrl, slot, refundRequest, state } = receipt;
  const isOpened = state !== 'refunded' && refundRequest?.canTakeBack === false;
  return (
    <dl
      aria-label="Details"
      className="mt-4 divide-y divide-line rounded-md border border-line bg-surface-raised text-sm"
    >
      <Detail label="Paid">
        <time dateTime={paidAt}>{formatTime(paidAt)}</time>
      </Detail>
      <Detail label="Period">
        {period ? (
          <>
            <time dateTime={period.startDate}>{formatTime(period.startDate)}</time>
            <br />
            until <time dateTime={period.endDate}>{formatTime(period.endDate)}</time>
          </>
        ) : (
          'none'
        )}
      </Detail>
      {refundRequest !== null && (
        <Detail label="Refund">
          Asked for on <time dateTime={refundRequest.askedAt}>{formatTime(refundRequest.askedAt)}</time>
          {isOpened && ". The caller has opened it since, so it can't be taken back."}
        </Detail>
      )}
      <Detail label="Bought">{days} days</Detail>
      <Detail label="Start">{START_AT_ONCE.record}</Detail>
      <Detail label="Paid from">
        <Address value={payerAddress} label="address of the payer" isFull />
      </Detail>
      <Detail label="Transaction">
        <Address value={signature} label="transaction signature" isFull />
        <ExplorerLink href={explorerUrl} className="-mb-2" />
      </Detail>
      <Detail label="Slot">
        <span className="figures">{slot.toLocaleString('en-US')}</span>
      </Detail>
    </dl>
  );
}

function Detail({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-4 gap-y-1 px-4 py-3 sm:grid-cols-[8rem_1fr]">
      <dt className="text-text-muted">{label}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  );
}
