import { Link } from '@tanstack/react-router';
import { memo, type ReactNode } from 'react';
import { DEFAULT_CALLER_SORT } from '#schema/constants/market.ts';
import type { CallerListItem, CallerSort } from '#schema/contracts/callers.ts';
import { pluralize, formatCount, formatMonthlyFee, formatRate } from '#schema/rules/text/format.ts';
import { fullName, shownHandle } from '#schema/rules/people/person-name.ts';
import { isFreeCaller } from '#web/lib/money/fees.ts';
import { PersonAvatar } from '#web/lib/people/person-avatar.tsx';
import { SolUsd } from '#web/lib/money/sol-usd.tsx';
import { Change } from '#web/ui/figures/change.tsx';
import { ExplainProven } from '#web/ui/overlays/explain-proven.tsx';
import { RelativeTime } from '#web/ui/figures/relative-time.tsx';
import { aboveCoveringLinkClassName, coveringLinkClassName } from '#web/ui/lists/covering-link.ts';
import { VerifiedMark } from '#web/ui/people/verified-mark.tsx';
import { groupByProven, provenNote } from './caller-record.ts';
import { SubscribeButton, type SubscribeButtonProps } from './subscribe-button.tsx';
import { LastCalls } from './last-calls.tsx';

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
      {title !== null && <h2 className="mb-3 text-lg font-semibold tracking-tight">{title}</h2>}
      <div role="list" className="grid grid-cols-1 gap-3 sm:grid-cols-2 md:gap-4 lg:grid-cols-3">
        {listed.map((caller) => (
          <CallerCard key={caller.id} caller={caller} sort={sort} {...subscribing} />
        ))}
      </div>
    </section>
  ));
}

/** Memoized, because a page has many cards and most changes concern one. */
const CallerCard = memo(function CallerCard({ sort, ...props }: SubscribeButtonProps & { sort: CallerSort }) {
  const { caller } = props;
  const sample = `of ${formatCount(caller.rankedCalls)} ranked`;
  return (
    <div role="listitem" className="caller-card">
      <div className="flex items-center gap-3 p-4 pb-3">
        <PersonAvatar person={caller} />
        <div className="min-w-0 flex-1">
          <h2 className="flex items-center gap-1.5">
            <Link
              to="/caller/$username"
              params={{ username: caller.id }}
              dir="auto"
              className={`truncate text-base font-semibold ${coveringLinkClassName}`}
            >
              {fullName(caller)}
            </Link>
            {caller.isVerified && <VerifiedMark />}
          </h2>
          <p className="truncate text-xs text-text-muted">{shownHandle(caller)}</p>
        </div>
        <ActiveMark count={caller.totalCalls - caller.endedCalls} />
      </div>
      <dl>
        <Figure label="Avg Return" note={sample}>
          <Change percent={caller.avgReturn} />
        </Figure>
        <Figure label="Win Rate" note={sample}>
          <span>{formatRate(caller.winRate)}</span>
        </Figure>
        <Figure label={<ExplainProven />} note={provenNote(caller)}>
          <Change percent={caller.proven} />
        </Figure>
      </dl>
      <div className="caller-facts">
        <p className="figures">
          {caller.followerReturn !== null && (
            <span>
              Follower Return <Change percent={caller.followerReturn} />
            </span>
          )}
          <span>
            {sort === 'totalCalls' && `${formatCount(caller.rankedCalls)} ranked of `}
            {pluralize(caller.totalCalls, 'call')}
          </span>
          <span>{pluralize(caller.subscriberCount, 'subscriber')}</span>
          <span>{pluralize(caller.followerCount, 'follower')}</span>
          <span>
            Last call <RelativeTime at={caller.lastCallTimestamp} missing="none yet" />
          </span>
          {sort === 'lastCall' && (
            <span>
              Last ranked call <RelativeTime at={caller.lastRankedCallTimestamp} missing="none yet" />
            </span>
          )}
        </p>
        <LastCalls calls={caller.recentCalls} />
      </div>
      <footer>
        <span className="min-w-0 text-sm font-medium tabular-nums">
          {formatMonthlyFee(caller.monthlyFee)}
          {!isFreeCaller(caller) && <span className="font-normal text-text-muted"> / month</span>}
          <SolUsd sol={caller.monthlyFee} />
        </span>
        <span data-personal className={aboveCoveringLinkClassName}>
          <SubscribeButton {...props} />
        </span>
      </footer>
    </div>
  );
});

interface FigureProps {
  label: ReactNode;
  note: string;
  children: ReactNode;
}

function Figure({ label, note, children }: FigureProps) {
  return (
    <div className="min-w-0">
      <dt>{label}</dt>
      <dd>
        {children}
        <span className="note">{note}</span>
      </dd>
    </div>
  );
}

function ActiveMark({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <span className="figures inline-flex shrink-0 items-center gap-1.5 self-start text-xs text-text-muted before:size-2 before:rounded-full before:border-[1.5px] before:border-accent-text">
      {count} active
    </span>
  );
}
