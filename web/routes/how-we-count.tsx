import { createFileRoute } from '@tanstack/react-router';
import { PAGES } from '#schema/rules/text/page-texts.ts';
import { HowWeCountPage } from '#web/features/how-we-count/how-we-count-page.tsx';
import { usePageTitle } from '#web/lib/page/use-page-title.ts';

export const Route = createFileRoute('/how-we-count')({ component: HowWeCountRoute });

function HowWeCountRoute() {
  usePageTitle(PAGES['/how-we-count'].title);
  return <HowWeCountPage />;
}
