import { createFileRoute } from '@tanstack/react-router';
import { PAGES } from '#schema/rules/text/page-texts.ts';
import { ComparePage } from '#web/features/calculator/compare-page.tsx';
import { readCompareSearch } from '#web/features/calculator/compare-search.ts';
import { usePageTitle } from '#web/lib/page/use-page-title.ts';

export const Route = createFileRoute('/compare')({
  validateSearch: readCompareSearch,
  search: { middlewares: [({ search, next }) => readCompareSearch({ ...next(search) })] },
  component: CompareRoute,
});

function CompareRoute() {
  usePageTitle(PAGES['/compare'].title);
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <ComparePage
      search={search}
      onSearchChange={(next) => void navigate({ search: next, replace: true, resetScroll: false })}
    />
  );
}
