import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { CallerProfile } from '#schema/contracts/callers.ts';
import type { CurrentUser } from '#schema/contracts/users.ts';
import { countOf, formatRate, formatSolAmount } from '#schema/rules/format.ts';
import { reasonOf } from '#web/api/api-error.ts';
import { callerQuery } from '#web/api/callers.queries.ts';
import { fullName } from '#schema/rules/person-name.ts';
import { initialOf } from '#web/lib/person.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { buttonClassName } from '#web/ui/button-class-name.ts';
import { Card } from '#web/ui/card.tsx';
import { Change } from '#web/ui/change.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx';
import { VerifiedMark } from '#web/ui/verified-mark.tsx';
import { FeeEditor } from './fee-editor.tsx';

/** Who the caller is to others: the record, the income, the fee. */
export function CallerProfileCard({ user }: { user: CurrentUser }) {
  // Earnings and subscribers come from others' doing, so every visit asks again.
  const caller = useQuery({ ...callerQuery(user.id), staleTime: 0 });
  return (
    <Card
      title="Your Caller Profile"
      aside={
        <Link
          to="/caller/$username"
          params={{ username: user.id }}
          className={buttonClassName({ size: 'sm' })}
        >
          View Public Profile
        </Link>
      }
    >
      <div className="flex items-center gap-3">
        <Avatar src={user.profileImageUrl} letter={initialOf(user, 'C')} />
        <div className="min-w-0">
          <p className="flex items-center gap-1.5 font-semibold">
            <span dir="auto" className="truncate">
              {fullName(user)}
            </span>
            {user.isVerified && <VerifiedMark />}
          </p>
          <p className="truncate text-xs text-text-muted">@{user.twitterHandle}</p>
        </div>
      </div>
      {caller.data ? (
        <>
          <Statistics caller={caller.data} />
          <Link
            to="/how-we-count"
            className="mt-2 inline-flex min-h-11 items-center text-sm text-text-muted underline decoration-line-strong underline-offset-4 hover:decoration-current md:min-h-8"
          >
            How we count
          </Link>
        </>
      ) : caller.isPending ? (
        <SkeletonGroup label="Loading statistics" className="mt-4">
          <Skeleton className="h-36 w-full" />
        </SkeletonGroup>
      ) : (
        <ErrorState
          title="Failed to load statistics"
          description={reasonOf(caller.error, 'There was no answer.')}
          onRetry={() => void caller.refetch()}
        />
      )}
      <div className="mt-4 border-t border-line pt-4">
        <FeeEditor monthlyFee={user.monthlyFee} />
      </div>
    </Card>
  );
}

function Statistics({ caller }: { caller: CallerProfile }) {
  const sample = `of ${countOf(caller.endedCalls, 'ended call')}`;
  const earnings = `${formatSolAmount(caller.earnings ?? '0')} SOL`;
  return (
    <dl className="mt-4 grid grid-cols-2 gap-x-4 gap-y-3">
      <Statistic label="Total Calls" note={`${caller.activeCallCount} active`}>
        {caller.totalCalls.toLocaleString('en-US')}
      </Statistic>
      <Statistic label="Subscribers">{caller.subscriberCount.toLocaleString('en-US')}</Statistic>
      <Statistic label="Win Rate" note={sample}>
        {caller.winRate === null ? '–' : formatRate(caller.winRate)}
      </Statistic>
      <Statistic label="Avg Return" note={sample}>
        <Change percent={caller.avgReturn} />
      </Statistic>
      <Statistic label="Earnings" note="your share of all payments">
        <Link
          to="/payments/earnings"
          aria-label={`${earnings}: see each payment`}
          className="underline decoration-line-strong underline-offset-4 hover:decoration-current"
        >
          {earnings}
        </Link>
      </Statistic>
    </dl>
  );
}

function Statistic({ label, note, children }: { label: string; note?: string; children: ReactNode }) {
  return (
    <div className="last:col-span-2">
      <dt className="text-xs text-text-muted">{label}</dt>
      <dd className="figures text-lg font-semibold">{children}</dd>
      {note !== undefined && <dd className="figures text-xs text-text-muted">{note}</dd>}
    </div>
  );
}
