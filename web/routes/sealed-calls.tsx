import { createFileRoute } from '@tanstack/react-router';
import { PAGES } from '#schema/rules/text/page-texts.ts';
import { SealedCallsPage } from '#web/features/documents/sealed-calls-page.tsx';
import { usePageTitle } from '#web/lib/page/use-page-title.ts';

export const Route = createFileRoute('/sealed-calls')({ component: SealedCallsRoute });

function SealedCallsRoute() {
  usePageTitle(PAGES['/sealed-calls'].title);
  return <SealedCallsPage />;
}
