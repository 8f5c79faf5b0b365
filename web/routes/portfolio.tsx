import { createFileRoute } from '@tanstack/react-router';
import { PAGES } from '#schema/rules/text/page-texts.ts';
import { PortfolioPage } from '#web/features/portfolio/portfolio-page.tsx';
import { usePageTitle } from '#web/lib/page/use-page-title.ts';
import { requireUser } from './-require-user.ts';

export const Route = createFileRoute('/portfolio')({ beforeLoad: requireUser, component: PortfolioRoute });

function PortfolioRoute() {
  usePageTitle(PAGES['/portfolio'].title);
  return <PortfolioPage />;
}
