import { Link } from '@tanstack/react-router';
import { TITLES } from '#schema/rules/text/page-texts.ts';
import { MissingPage } from '#web/lib/page/page-problem.tsx';
import { usePageTitle } from '#web/lib/page/use-page-title.ts';
import { buttonClassName } from '#web/ui/controls/button-class-name.ts';

export function NotFoundPage() {
  usePageTitle(TITLES.missingPage);
  return (
    <MissingPage
      title={TITLES.missingPage}
      description="This page doesn't exist or has moved."
      action={
        <Link to="/" className={buttonClassName({ variant: 'primary' })}>
          Back to Directory
        </Link>
      }
    />
  );
}
