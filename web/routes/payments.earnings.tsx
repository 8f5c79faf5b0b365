import { useQuery } from '@tanstack/react-query';
import { createFileRoute, Navigate } from '@tanstack/react-router';
import { PAGES } from '#schema/rules/text/page-texts.ts';
import { currentUserQuery } from '#web/api/session.queries.ts';
import { EarningsPage } from '#web/features/payments/earnings-page.tsx';
import { usePageTitle } from '#web/lib/page/use-page-title.ts';

export const Route = createFileRoute('/payments/earnings')({ component: EarningsRoute });

function EarningsRoute() {
  usePageTitle(PAGES['/payments/earnings'].title);
  const { data: user } = useQuery(currentUserQuery);
  if (!user) return <Navigate to="/" />;
  const hasEarnings = user.isCaller || user.wasCaller === true;
  return hasEarnings ? <EarningsPage user={user} /> : <Navigate to="/payments" replace />;
}
