import { createFileRoute } from '@tanstack/react-router';
import { PAGES } from '#schema/rules/text/page-texts.ts';
import { RiskPage } from '#web/features/documents/risk-page.tsx';
import { usePageTitle } from '#web/lib/page/use-page-title.ts';

export const Route = createFileRoute('/risk')({ component: RiskRoute });

function RiskRoute() {
  usePageTitle(PAGES['/risk'].title);
  return <RiskPage />;
}
