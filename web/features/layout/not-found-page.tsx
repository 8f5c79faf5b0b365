import { Link } from '@tanstack/react-router';
import { TITLES } from '#schema/rules/text/page-texts.ts';
import { usePageTitle } from '#web/lib/page/use-page-title.ts';
import { buttonClassName } from '#web/ui/controls/button-class-name.ts';

export function NotFoundPage() {
  usePageTitle(TITLES.missingPage);
  return (
    <div className="desk flex flex-col items-center py-20 text-center">
      <svg aria-hidden="true" width="160" height="40" viewBox="0 0 160 40" className="mb-6 text-line-strong">
        <path d="M14 30 154 8" stroke="currentColor" strokeWidth="2" strokeDasharray="3 7" />
        <circle cx="8" cy="31" r="6" fill="none" stroke="currentColor" strokeWidth="2" />
      </svg>
      <h1 className="text-xl font-semibold tracking-tight">{TITLES.missingPage}</h1>
      <p className="mt-2 max-w-prose text-text-muted">This page doesn't exist or has moved.</p>
      <Link to="/" className={buttonClassName({ variant: 'primary', className: 'mt-6' })}>
        Back to Directory
      </Link>
    </div>
  );
}
