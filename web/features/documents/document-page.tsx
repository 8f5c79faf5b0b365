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

export function DocumentSection({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section id={id} aria-labelledby={`${id}-title`} className="mt-8 scroll-mt-20">
      <h2 id={`${id}-title`} className="text-lg font-semibold tracking-tight">
        {title}
      </h2>
      <div className="mt-3 flex flex-col gap-3">{children}</div>
    </section>
  );
}

export function BulletList({ children }: { children: ReactNode }) {
  return <ul className="flex list-disc flex-col gap-2 pl-5 marker:text-text-muted">{children}</ul>;
}
