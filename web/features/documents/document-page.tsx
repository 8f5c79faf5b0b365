import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { DOCUMENT_VERSIONS, DOCUMENTS } from '#schema/constants.ts';
import { PAGES } from '#schema/rules/text/page-texts.ts';
import { formatDay } from '#web/lib/text/dates.ts';

type DocumentName = (typeof DOCUMENTS)[number];

export interface DocumentPageProps {
  document: DocumentName;
  summary: ReactNode;
  children: ReactNode;
}

/** The layout of the terms, the privacy notice and the risks. */
export function DocumentPage({ document, summary, children }: DocumentPageProps) {
  const version = DOCUMENT_VERSIONS[document];
  return (
    <div className="desk py-6 md:py-10">
      <article className="max-w-3xl">
        <h1 className="text-xl font-semibold tracking-tight md:text-2xl">{PAGES[`/${document}`].title}</h1>
        <p className="mt-2 text-sm text-text-muted">
          Version of <time dateTime={version}>{formatDay(Date.parse(version))}</time>
        </p>
        <p className="mt-4">{summary}</p>
        {children}
        <nav aria-label="Other documents" className="mt-10 flex flex-wrap gap-x-5 border-t border-line pt-4">
          {DOCUMENTS.filter((other) => other !== document).map((other) => (
            <Link
              key={other}
              to={`/${other}`}
              className="inline-flex min-h-11 items-center text-sm link md:min-h-8"
            >
              {PAGES[`/${other}`].title}
            </Link>
          ))}
        </nav>
      </article>
    </div>
  );
}
