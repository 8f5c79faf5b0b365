import { createFileRoute } from '@tanstack/react-router';
import { OPERATOR_ACTIONS } from '#schema/constants/running.ts';
import { AuditPage, type AuditFilter } from '#web/features/operators/audit-page.tsx';

const textOf = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;

export const Route = createFileRoute('/operators/audit')({
  validateSearch: (search: Record<string, unknown>): AuditFilter => ({
    operator: textOf(search['operator']),
    subject: textOf(search['subject']),
    action: OPERATOR_ACTIONS.find((action) => action === search['action']),
    since: textOf(search['since']),
  }),
  component: AuditRoute,
});

function AuditRoute() {
  const navigate = Route.useNavigate();
  const { operator, subject, action, since } = Route.useSearch();
  const filter = { operator, subject, action, since };
  return <AuditPage filter={filter} onFilter={(search) => void navigate({ search })} />;
}
