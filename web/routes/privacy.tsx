import { createFileRoute } from '@tanstack/react-router';
import { PAGES } from '#schema/rules/text/page-texts.ts';
import { PrivacyPage } from '#web/features/documents/privacy-page.tsx';
import { usePageTitle } from '#web/lib/page/use-page-title.ts';

export const Route = createFileRoute('/privacy')({ component: PrivacyRoute });

function PrivacyRoute() {
  usePageTitle(PAGES['/privacy'].title);
  return <PrivacyPage />;
}
