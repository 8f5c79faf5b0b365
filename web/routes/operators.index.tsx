import { createFileRoute } from '@tanstack/react-router';
import { NowPage } from '#web/features/operators/now-page.tsx';
import { SearchPage } from '#web/features/operators/search-page.tsx';

export const Route = createFileRoute('/operators/')({
  validateSearch: ({ search }: Record<string, unknown>): { search?: string } =>
    typeof search === 'string' && search !== '' ? { search } : {},
  component: NowRoute,
});

function NowRoute() {
  const { search } = Route.useSearch();
  return search === undefined ? <NowPage /> : <SearchPage search={search} />;
}
