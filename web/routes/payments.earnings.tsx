import { createFileRoute, Navigate } from '@tanstack/react-router';
import { EarningsPage } from '#web/features/payments/earnings-page.tsx';
import { useUser } from '#web/lib/session/use-user.ts';

export const Route = createFileRoute('/payments/earnings')({ component: EarningsRoute });

function EarningsRoute() {
  const user = useUser();
  const hasEarnings = user.isCaller || user.wasCaller === true;
  return hasEarnings ? <EarningsPage user={user} /> : <Navigate to="/payments" replace />;
}
