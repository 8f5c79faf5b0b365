import { createFileRoute, notFound } from '@tanstack/react-router';
import { TITLES } from '#schema/rules/text/page-texts.ts';
import { currentUserQuery } from '#web/api/session.queries.ts';
import { OperatorsPage } from '#web/features/operators/operators-page.tsx';
import { usePageTitle } from '#web/lib/page/use-page-title.ts';

export interface OperatorsSearch {
  search?: string | undefined;
  payment?: string | undefined;
}

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

export const Route = createFileRoute('/operators')({
  validateSearch: ({ search, payment }: Record<string, unknown>): OperatorsSearch => ({
    search: textOf(search),
    payment: textOf(payment),
  }),
  beforeLoad: async ({ context }) => {
    const user = await context.queryClient.ensureQueryData(currentUserQuery);
    if (user?.isOperator !== true) throw notFound();
  },
  component: OperatorsRoute,
});

function OperatorsRoute() {
  usePageTitle(TITLES.operators);
  const { search = '', payment = '' } = Route.useSearch();
  const navigate = Route.useNavigate();
  const find = (next: OperatorsSearch) =>
    void navigate({ search: (shown) => ({ ...shown, ...next }), resetScroll: false });
  return (
    <OperatorsPage
      people={{ search, onSearch: (next) => find({ search: next || undefined }) }}
      payment={{ search: payment, onSearch: (next) => find({ payment: next || undefined }) }}
    />
  );
}
