import { Link } from '@tanstack/react-router';
import { PRODUCT_NAME } from '#schema/constants/app.ts';
import { CALL_AUTO_END_MS, UNPRICED_END_MS } from '#schema/constants/market.ts';
import { DELIVERIES_KEPT_MS } from '#schema/constants/messages.ts';
import { PLATFORM_FEE_PERCENT, SUBSCRIBER_NAMED_MS } from '#schema/constants/money.ts';
import {
  DELETION_MAX_WAIT_MS,
  DEVICE_REMEMBERED_MS,
  DOCUMENT_VERSIONS,
  DOCUMENTS,
  SESSION_ABSOLUTE_MS,
  SESSION_SLIDING_MS,
} from '#schema/constants/people.ts';
import { BACKUPS_KEPT_MS } from '#schema/constants/running.ts';
import { DAY_MS } from '#schema/constants/time.ts';
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
  autoEndDays: CALL_AUTO_END_MS / DAY_MS,
  unpricedEndDays: UNPRICED_END_MS / DAY_MS,
  deletionDays: DELETION_MAX_WAIT_MS / DAY_MS,
  namedDays: SUBSCRIBER_NAMED_MS / DAY_MS,
  sessionSlidingDays: SESSION_SLIDING_MS / DAY_MS,
  sessionDays: SESSION_ABSOLUTE_MS / DAY_MS,
  deviceDays: DEVICE_REMEMBERED_MS / DAY_MS,
  deliveryDays: DELIVERIES_KEPT_MS / DAY_MS,
  backupDays: BACKUPS_KEPT_MS / DAY_MS,
};
