import { useQuery } from '@tanstack/react-query';
import { createFileRoute, Navigate } from '@tanstack/react-router';
import { PAGES } from '#schema/rules/text/page-texts.ts';
import { currentUserQuery } from '#web/api/session.queries.ts';
import { PaymentsPage } from '#web/features/payments/payments-page.tsx';
import { usePageTitle } from '#web/lib/page/use-page-title.ts';

export const Route = createFileRoute('/payments/')({
  component: PaymentsRoute,
});

function PaymentsRoute() {
  usePageTitle(PAGES['/payments'].title);
  const { data: user } = useQuery(currentUserQuery);
  return user ? <PaymentsPage user={user} /> : <Navigate to="/" />;
}
