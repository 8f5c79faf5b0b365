import { useQuery } from '@tanstack/react-query';
import { createFileRoute, Navigate } from '@tanstack/react-router';
import { PAGES } from '#schema/rules/text/page-texts.ts';
import { currentUserQuery } from '#web/api/session.queries.ts';
import { ReceiptPage } from '#web/features/payments/receipt-page.tsx';
import { usePageTitle } from '#web/lib/page/use-page-title.ts';

export const Route = createFileRoute('/payments/$signature')({
  component: ReceiptRoute,
});

function ReceiptRoute() {
  usePageTitle(PAGES['/payments/:signature'].title);
  const { signature } = Route.useParams();
  const { data: user } = useQuery(currentUserQuery);
  return user ? <ReceiptPage signature={signature} user={user} /> : <Navigate to="/" />;
}
