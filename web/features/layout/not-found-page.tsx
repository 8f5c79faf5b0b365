import { TITLES } from '#schema/rules/text/page-texts.ts';
import { MissingPage } from '#web/lib/page/page-problem.tsx';
import { usePageTitle } from '#web/lib/page/use-page-title.ts';
import { DirectoryLink } from '#web/lib/page/directory-link.tsx';

export function NotFoundPage() {
  usePageTitle(TITLES.missingPage);
  return (
    <MissingPage
      title={TITLES.missingPage}
      description="This page doesn't exist or has moved."
      action={<DirectoryLink>Back to Directory</DirectoryLink>}
    />
  );
}
