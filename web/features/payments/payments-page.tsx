import { useInfiniteQuery } from '@tanstack/react-query';
import type { Receipt } from '#schema/contracts/payments.ts';
import { formatSolAmount } from '#schema/rules/text/format-amounts.ts';
import { fullName } from '#schema/rules/people/person-name.ts';
import { myPaymentsQuery } from '#web/api/payments.queries.ts';
import { DirectoryLink } from '#web/lib/page/directory-link.tsx';
import { PAGES } from '#schema/rules/text/page-texts.ts';
import { usePageTitle } from '#web/lib/page/use-page-title.ts';
import { useUser } from '#web/lib/session/use-user.ts';
import { PersonOfPayment, type PaymentRow } from './payment-row.tsx';
import { PaymentsHeader } from './payments-header.tsx';
import { PaymentsList } from './payments-list.tsx';

const labels = { list: 'Payments', otherParty: 'Caller', amounts: ['Amount'] };

export function PaymentsPage() {
  usePageTitle(PAGES['/payments'].title);
  const user = useUser();
  const query = useInfiniteQuery(myPaymentsQuery);
  return (
    <div className="desk-wide py-6 md:py-10">
      <PaymentsHeader
        title="Payments"
        description="Your payments to callers, with receipts"
        isCaller={user.isCaller || user.wasCaller === true}
      />
      <PaymentsList
        query={query}
        labels={labels}
        toRow={toRow}
        empty={{
          title: 'No payments yet',
          description: 'Receipts appear here when you pay a caller.',
          action: <DirectoryLink>Find a caller</DirectoryLink>,
        }}
      />
    </div>
  );
}

function toRow(receipt: Receipt): PaymentRow {
  const { caller, totalAmount } = receipt;
  return {
    payment: receipt,
    otherParty: <PersonOfPayment person={caller} />,
    summary: `${formatSolAmount(totalAmount)} SOL to ${fullName(caller)}`,
    amounts: [totalAmount],
  };
}
