import { useQuery } from '@tanstack/react-query';
import { createFileRoute, notFound } from '@tanstack/react-router';
import { OPERATORS_PAGES } from '#schema/constants/running.ts';
import { operatorsPageQuery } from '#web/api/operators.queries.ts';
import { ConsolePage } from '#web/features/operators/console-page.tsx';

const WHAT = {
  person: 'this person',
  payment: 'this payment',
  call: 'this call',
  earned: 'what we earned',
} as const;

export const Route = createFileRoute('/operators/$kind/$id')({
  beforeLoad: ({ params }) => {
    const kind = OPERATORS_PAGES.find((page) => page === params.kind);
    if (kind === undefined) throw notFound();
    return { kind };
  },
  component: SubjectRoute,
});

function SubjectRoute() {
  const { kind } = Route.useRouteContext();
  const { id } = Route.useParams();
  return <ConsolePage query={useQuery(operatorsPageQuery({ kind, id }))} what={WHAT[kind]} />;
}
