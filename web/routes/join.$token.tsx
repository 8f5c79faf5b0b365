import { createFileRoute } from '@tanstack/react-router';
import { PAGES } from '#schema/rules/text/page-texts.ts';
import { JoinPage } from '#web/features/join/join-page.tsx';
import { usePageTitle } from '#web/lib/page/use-page-title.ts';

export const Route = createFileRoute('/join/$token')({ component: JoinRoute });

function JoinRoute() {
  usePageTitle(PAGES['/join/:token'].title);
  return <JoinPage token={Route.useParams().token} />;
}
