import { createFileRoute } from '@tanstack/react-router';
import { PAGES } from '#schema/rules/text/page-texts.ts';
import { TermsPage } from '#web/features/documents/terms-page.tsx';
import { usePageTitle } from '#web/lib/page/use-page-title.ts';

export const Route = createFileRoute('/terms')({ component: TermsRoute });

function TermsRoute() {
  usePageTitle(PAGES['/terms'].title);
  return <TermsPage />;
}
