import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { Earning } from '#schema/contracts/payments.ts';
import type { CurrentUser } from '#schema/contracts/users.ts';
import { shortenAddress } from '#schema/rules/text/format.ts';
import { formatSolAmount } from '#schema/rules/text/format-amounts.ts';
import { fullName } from '#schema/rules/people/person-name.ts';
import { Download } from '#web/ui/more-icons.ts';
import { callerQuery } from '#web/api/callers.queries.ts';
import { EARNINGS_CSV_PATH, myEarningsQuery } from '#web/api/payments.queries.ts';
import { SolUsd } from '#web/lib/money/sol-usd.tsx';
import { LinkButton } from '#web/ui/controls/link-button.tsx';
import { Skeleton } from '#web/ui/lists/skeleton.tsx';
import { PAGES } from '#schema/rules/text/page-texts.ts';
import { usePageTitle } from '#web/lib/page/use-page-title.ts';
import { SubscriberOfPayment, type PaymentRow } from './payment-row.tsx';
import { PaymentsHeader } from './payments-header.tsx';
import { PaymentsList } from './payments-list.tsx';

const labels = { list: 'Earnings', otherParty: 'Subscriber', amounts: ['Total paid', 'Your share'] };

export function EarningsPage({ user }: { user: CurrentUser }) {
  usePageTitle(PAGES['/payments/earnings'].title);
  const query = useInfiniteQuery(myEarningsQuery);
  const isEmpty = query.data?.length === 0;
  return (
    <div className="desk-wide py-6 md:py-10">
      <PaymentsHeader
        title="Earnings"
        description="Payments from your subscribers and your share of each"
        isCaller
      />
      <div className="mb-4 flex flex-wrap items-end justify-between gap-4">
        {user.isCaller && <TotalEarned callerId={user.id} />}
        {!isEmpty && (
          <LinkButton href={EARNINGS_CSV_PATH}>
            <Download size={16} />
            Download CSV
          </LinkButton>
        )}
      </div>
      <PaymentsList
        query={query}
        labels={labels}
        toRow={toRow}
        empty={{
          title: 'No earnings yet',
          description:
            'Payments from subscribers appear here. Your share goes straight to your payout wallet.',
        }}
      />
    </div>
  );
}

function TotalEarned({ callerId }: { callerId: string }) {
  const { data: caller, isPending } = useQuery({ ...callerQuery(callerId), staleTime: 0 });
  const earnings = caller?.earnings;
  return (
    <dl>
      <dt className="text-xs text-text-muted">Your share after refunds</dt>
      <dd className="figures text-xl font-semibold">
        {isPending && <Skeleton className="h-8 w-40" />}
        {!isPending && (earnings === undefined ? '–' : `${formatSolAmount(earnings)} SOL`)}
      </dd>
      <dd className="min-h-4">
        <SolUsd sol={earnings ?? null} isPast />
      </dd>
    </dl>
  );
}

function toRow(earning: Earning): PaymentRow {
  const { subscriber, subscriberId, totalAmount, callerAmount } = earning;
  const name = subscriber ? fullName(subscriber) : `subscriber ${shortenAddress(subscriberId)}`;
  return {
    payment: earning,
    otherParty: <SubscriberOfPayment id={subscriberId} subscriber={subscriber} />,
    summary: `${formatSolAmount(callerAmount)} SOL from ${name}`,
    amounts: [totalAmount, callerAmount],
  };
}
