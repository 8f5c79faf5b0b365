import { createFileRoute, notFound, Outlet } from '@tanstack/react-router';
import { TITLES } from '#schema/rules/text/page-texts.ts';
import { currentUserQuery } from '#web/api/session.queries.ts';
import { ConsoleFrame } from '#web/features/operators/console-frame.tsx';
import { usePageTitle } from '#web/lib/page/use-page-title.ts';

export const Route = createFileRoute('/operators')({
  beforeLoad: async ({ context }) => {
    const user = await context.queryClient.ensureQueryData(currentUserQuery);
    if (user?.isOperator !== true) throw notFound();
  },
  component: OperatorsRoute,
});

function OperatorsRoute() {
  usePageTitle(TITLES.operators);
  const navigate = Route.useNavigate();
  return (
    <ConsoleFrame onSearch={(search) => void navigate({ to: '/operators', search: { search } })}>
      <Outlet />
    </ConsoleFrame>
  );
}
