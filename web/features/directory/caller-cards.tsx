import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { DEFAULT_CALLER_SORT } from '#schema/constants/market.ts';
import type { CallerListItem, CallerSort } from '#schema/contracts/callers.ts';
import { provenProgress } from '#schema/rules/calls/ranking-texts.ts';
import { fullName, shownHandle } from '#schema/rules/people/person-name.ts';
import { formatCount, formatFeePerMonth, formatRate, pluralize } from '#schema/rules/text/format.ts';
import { AfterFee } from '#web/lib/money/after-fee.tsx';
import { useSolInUsd } from '#web/lib/money/sol-usd.tsx';
import { PersonAvatar } from '#web/lib/people/person-avatar.tsx';
import { Sparkline } from '#web/ui/charts/sparkline.tsx';
import { Change } from '#web/ui/figures/change.tsx';
import { RelativeTime } from '#web/ui/figures/relative-time.tsx';
import { aboveCoveringLinkClassName, coveringLinkClassName } from '#web/ui/lists/covering-link.ts';
import { ExplainProven } from '#web/ui/overlays/explain-proven.tsx';
import { VerifiedMark } from '#web/ui/people/verified-mark.tsx';
import { describeRecord, groupByProven, orderedBy, runningReturn } from './caller-record.ts';
import { CompareTick } from './compare.tsx';
import { SubscribeButton, type SubscribeButtonProps } from './subscribe-button.tsx';

export interface CallerCardsProps extends Omit<SubscribeButtonProps, 'caller' | 'isStacked'> {
  callers: readonly CallerListItem[];
}

export function CallerCards({
  callers,
  sort = DEFAULT_CALLER_SORT,
  ...subscribing
}: CallerCardsProps & { sort?: CallerSort | undefined }) {
  return groupByProven(callers, sort).map(({ title, callers: listed }) => (
    <section key={title} aria-label={title ?? 'Callers'} className="not-first:mt-8">
      {title !== null && (
        <h2 className="mb-3 flex items-center gap-2 text-lg font-semibold tracking-tight">
          {title}
          <ExplainProven isIconOnly />
        </h2>
      )}
      <div role="list" className="grid grid-cols-1 gap-3 sm:grid-cols-2 md:gap-4 lg:grid-cols-3">
        {listed.map((caller) => (
          <CallerCard key={caller.id} caller={caller} sort={sort} {...subscribing} />
        ))}
      </div>
    </section>
  ));
}

interface CallerCardProps extends SubscribeButtonProps {
  sort: CallerSort;
}

/** Memoized, because a page has many cards and most changes concern one. Few elements, because a page has hundreds. */
const CallerCard = memo(function CallerCard({ sort, ...props }: CallerCardProps) {
  const { caller } = props;
  const usd = useSolInUsd(caller.monthlyFee);
  const activeCount = caller.totalCalls - caller.endedCalls;
  return (
    <div role="listitem" className="caller-card">
      <PersonAvatar person={caller} />
      <div className="min-w-0">
        <h2 className="text-base leading-tight font-semibold wrap-anywhere">
          <Link
            to="/caller/$username"
            params={{ username: caller.id }}
            dir="auto"
            className={coveringLinkClassName}
          >
            {fullName(caller)}
          </Link>
          {caller.isVerified && <VerifiedMark className="ml-1.5 inline align-[-0.15em]" />}
        </h2>
        <p className="note">
          {shownHandle(caller)}
          {activeCount > 0 && `, ${activeCount} active`}
        </p>
      </div>
      <Sparkline values={runningReturn(caller.recentCalls)} label={describeRecord(caller.recentCalls)} />
      <AfterFee figures={caller.afterFee} />
      <dl>
        <dt>Avg Return</dt>
        <Change as="dd" percent={caller.avgReturn} />
        <dt>Win Rate</dt>
        <dd>{formatRate(caller.winRate)}</dd>
        <dt>Proven</dt>
        {caller.proven === null ? (
          <dd className="note">{provenProgress(caller)}</dd>
        ) : (
          <Change as="dd" percent={caller.proven} />
        )}
      </dl>
      <p className="facts note">
        {orderedBy(caller, sort)}
        {`${pluralize(caller.totalCalls, 'call')}, ${formatCount(caller.rankedCalls)} ranked, `}
        {`${pluralize(caller.subscriberCount, 'subscriber')}, `}
        {sort === 'lastCall' ? 'last ranked ' : 'last ended '}
        <RelativeTime
          at={sort === 'lastCall' ? caller.lastRankedCallTimestamp : caller.lastCallTimestamp}
          missing="none yet"
        />
      </p>
      <footer>
        <span className="fee">
          {formatFeePerMonth(caller.monthlyFee)}
          {usd !== null && `\n${usd}`}
        </span>
        <CompareTick caller={caller} />
        <span data-personal className={aboveCoveringLinkClassName}>
          <SubscribeButton {...props} />
        </span>
      </footer>
    </div>
  );
});
