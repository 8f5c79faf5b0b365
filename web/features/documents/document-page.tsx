import { Link } from '@tanstack/react-router';
import {
  BACKUPS_KEPT_MS,
  CALL_AUTO_END_MS,
  DAY_MS,
  DELETION_MAX_WAIT_MS,
  DELIVERIES_KEPT_MS,
  DEVICE_REMEMBERED_MS,
  DOCUMENT_VERSIONS,
  DOCUMENTS,
  PLATFORM_FEE_PERCENT,
  PRODUCT_NAME,
  SESSION_ABSOLUTE_MS,
  SESSION_SLIDING_MS,
  SUBSCRIPTION_PERIOD_MS,
  UNPRICED_END_MS,
} from '#schema/constants.ts';
import { ALL_PRICE_SOURCES } from '#schema/rules/prices/price-source-names.ts';
import { PAGES } from '#schema/rules/text/page-texts.ts';
import { usePageTitle } from '#web/lib/page/use-page-title.ts';
import { formatDay } from '#web/lib/text/dates.ts';
import { Prose } from '#web/ui/prose.tsx';
import { OperatorDetails } from './operator.tsx';

export interface DocumentPageProps {
  document: (typeof DOCUMENTS)[number];
  text: string;
}

/** The terms, the privacy notice or the risks. */
export function DocumentPage({ document, text }: DocumentPageProps) {
  const { title } = PAGES[`/${document}`];
  usePageTitle(title);
  const version = DOCUMENT_VERSIONS[document];
  return (
    <div className="desk py-6 md:py-10">
      <article className="max-w-3xl">
        <h1 className="text-xl font-semibold tracking-tight md:text-2xl">{title}</h1>
        <p className="mt-2 text-sm text-text-muted">
          Version of <time dateTime={version}>{formatDay(Date.parse(version))}</time>
        </p>
        <Prose text={text} values={VALUES} />
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

const VALUES = {
  operator: <OperatorDetails />,
  product: PRODUCT_NAME,
  sources: ALL_PRICE_SOURCES,
  callerPercent: 100 - PLATFORM_FEE_PERCENT,
  platformPercent: PLATFORM_FEE_PERCENT,
  periodDays: SUBSCRIPTION_PERIOD_MS / DAY_MS,
  autoEndDays: CALL_AUTO_END_MS / DAY_MS,
  unpricedEndDays: UNPRICED_END_MS / DAY_MS,
  deletionDays: DELETION_MAX_WAIT_MS / DAY_MS,
  sessionSlidingDays: SESSION_SLIDING_MS / DAY_MS,
  sessionDays: SESSION_ABSOLUTE_MS / DAY_MS,
  deviceDays: DEVICE_REMEMBERED_MS / DAY_MS,
  deliveryDays: DELIVERIES_KEPT_MS / DAY_MS,
  backupDays: BACKUPS_KEPT_MS / DAY_MS,
};
