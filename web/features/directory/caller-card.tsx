import { Link } from '@tanstack/react-router';
import { memo, type ReactNode } from 'react';
import { pluralize, formatCount, formatMonthlyFee, formatRate } from '#schema/rules/text/format.ts';
import { fullName, shownHandle } from '#schema/rules/people/person-name.ts';
import { isFreeCaller } from '#web/lib/money/fees.ts';
import { initialOf } from '#web/lib/people/person.ts';
import { SolUsd } from '#web/lib/money/sol-usd.tsx';
import { Avatar } from '#web/ui/people/avatar.tsx';
import { Change } from '#web/ui/figures/change.tsx';
import { ExplainProven } from '#web/ui/overlays/explain-proven.tsx';
import { RelativeTime } from '#web/ui/figures/relative-time.tsx';
import { Sparkline } from '#web/ui/charts/sparkline.tsx';
import { aboveCoveringLinkClassName, coveringLinkClassName } from '#web/ui/lists/covering-link.ts';
import { VerifiedMark } from '#web/ui/people/verified-mark.tsx';
import { describeRecord, provenNote, runningReturn } from './caller-record.ts';
import { SubscribeButton, type SubscribeButtonProps } from './subscribe-button.tsx';

const figureClassName = 'font-semibold min-[23rem]:text-lg';

/** Memoized, because a page has many cards and most changes concern one. */
export const CallerCard = memo(function CallerCard(props: SubscribeButtonProps) {
  const { caller } = props;
  const sample = `of ${formatCount(caller.rankedCalls)} ranked`;
  return (
    <div
      role="listitem"
      className="painted-near relative flex flex-col rounded-md border border-line bg-surface-raised transition-colors [contain-intrinsic-height:auto_261px] hover:border-line-strong"
    >
      <div className="flex items-center gap-3 p-4 pb-3">
        <Avatar src={caller.profileImageUrl} letter={initialOf(caller, 'C')} />
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
      <dl className="grid grid-cols-[minmax(max-content,1fr)_repeat(2,minmax(0,1fr))] gap-x-3 px-4">
        <Figure label="Avg Return" note={sample}>
          <Change percent={caller.avgReturn} className={figureClassName} />
        </Figure>
        <Figure label="Win Rate" note={sample}>
          <span className={figureClassName}>{formatRate(caller.winRate)}</span>
        </Figure>
        <Figure label={<ExplainProven />} note={provenNote(caller)}>
          <Change percent={caller.proven} className={figureClassName} />
        </Figure>
      </dl>
      <div className="my-3 flex min-h-12 items-center justify-between gap-4 px-4">
        <p className="figures flex min-w-0 flex-wrap gap-x-3 text-xs text-text-muted">
          {caller.followerReturn !== null && (
            <span>
              Follower Return <Change percent={caller.followerReturn} />
            </span>
          )}
          <span>{pluralize(caller.totalCalls, 'call')}</span>
          <span>{pluralize(caller.subscriberCount, 'subscriber')}</span>
          <span>
            Last call <RelativeTime at={caller.lastCallTimestamp} missing="none yet" />
          </span>
        </p>
        <Sparkline
          values={runningReturn(caller.recentCalls)}
          label={describeRecord(caller.recentCalls)}
          className="h-10 w-28"
        />
      </div>
      <div className="mt-auto flex min-h-15 items-center justify-between gap-3 border-t border-line py-2 pr-2 pl-4 md:min-h-13">
        <span className="min-w-0 text-sm font-medium tabular-nums">
          {formatMonthlyFee(caller.monthlyFee)}
          {!isFreeCaller(caller) && <span className="font-normal text-text-muted"> / month</span>}
          <SolUsd sol={caller.monthlyFee} />
        </span>
        <span data-personal className={aboveCoveringLinkClassName}>
          <SubscribeButton {...props} />
        </span>
      </div>
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
      <dt className="text-xs whitespace-nowrap text-text-muted">{label}</dt>
      <dd className="figures mt-0.5">
        {children}
        <span className="block text-xs whitespace-normal text-text-muted">{note}</span>
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
