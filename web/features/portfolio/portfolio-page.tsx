import { useQueries, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { MINUTE_MS, SKELETON_ROWS } from '#schema/constants.ts';
import type { CopiedCall } from '#schema/contracts/callers.ts';
import type { PaperFollow } from '#schema/contracts/paper-follows.ts';
import { formatUsd, pluralize } from '#schema/rules/text/format.ts';
import { formatGain } from '#schema/rules/text/gains.ts';
import { copiedCallsQuery } from '#web/api/callers.queries.ts';
import { paperFollowsQuery } from '#web/api/paper-follows.queries.ts';
import { ListState } from '#web/lib/page/list-state.tsx';
import { LoadFailedLine } from '#web/lib/page/load-failed.tsx';
import { initialOf } from '#web/lib/people/person.ts';
import { formatDay } from '#web/lib/text/dates.ts';
import { buttonClassName } from '#web/ui/controls/button-class-name.ts';
import { LocalTime } from '#web/ui/figures/local-time.tsx';
import { RelativeTime } from '#web/ui/figures/relative-time.tsx';
import { Card } from '#web/ui/lists/card.tsx';
import { Skeleton } from '#web/ui/lists/skeleton.tsx';
import { Avatar } from '#web/ui/people/avatar.tsx';
import { CallerLink } from '#web/ui/people/caller-link.tsx';
import { VerifiedMark } from '#web/ui/people/verified-mark.tsx';
import { ChangeButton } from './paper-button.tsx';
import { latestEnds, resultOf } from './portfolio.ts';

/** A caller on paper, with the query of the caller's results. */
interface Followed {
  readonly follow: PaperFollow;
  readonly query: UseQueryResult<CopiedCall[]>;
}

/** The callers whom the user follows on paper, and what that has made so far. */
export function PortfolioPage() {
  const query = useQuery({ ...paperFollowsQuery, staleTime: 0 });
  return (
    <div className="desk py-6 md:py-10">
      <h1 className="text-xl font-semibold tracking-tight md:text-2xl">Portfolio</h1>
      <p className="mt-1 mb-5 text-sm text-text-muted md:text-base">
        What following on paper has made. No money moves.
      </p>
      <ListState
        query={query}
        what="your portfolio"
        skeletons={SKELETON_ROWS.activeCalls}
        empty={{
          title: 'You follow nobody on paper',
          description: 'Open a caller’s profile and press “Follow on paper” to try them without paying.',
          action: (
            <Link to="/" className={buttonClassName({ variant: 'primary' })}>
              Find callers
            </Link>
          ),
        }}
      >
        {(follows) => <Portfolio follows={follows} now={query.dataUpdatedAt} />}
      </ListState>
    </div>
  );
}

function Portfolio({ follows, now }: { follows: readonly PaperFollow[]; now: number }) {
  const queries = useQueries({
    queries: follows.map(({ caller }) => ({ ...copiedCallsQuery(caller.id), staleTime: MINUTE_MS })),
  });
  const followed = follows.flatMap((follow, index) => {
    const query = queries[index];
    return query ? [{ follow, query }] : [];
  });
  const onPaper = followed.filter(({ follow }) => follow.amountUsd !== null);
  const watched = followed.filter(({ follow }) => follow.amountUsd === null);
  return (
    <div className="grid gap-4 *:min-w-0">
      {onPaper.length > 0 && (
        <Card title={<Total followed={onPaper} now={now} />} isFlush>
          <ul aria-label="On paper" className="divide-y divide-line">
            {onPaper.map((each) => (
              <Row key={each.follow.caller.id} {...each}>
                {(calls) => <Result follow={each.follow} calls={calls} now={now} />}
              </Row>
            ))}
          </ul>
        </Card>
      )}
      {watched.length > 0 && (
        <Card title="Watching" isFlush>
          <ul aria-label="Watching" className="divide-y divide-line">
            {watched.map((each) => (
              <Row key={each.follow.caller.id} {...each} />
            ))}
          </ul>
        </Card>
      )}
      <LatestEnds followed={followed} />
    </div>
  );
}

/** "On paper: +$43 since Nov 1". It needs the results of all callers. */
function Total({ followed, now }: { followed: readonly Followed[]; now: number }) {
  if (followed.some(({ query }) => query.data === undefined)) return 'On paper';
  const net = followed.map(({ follow, query }) => resultOf(follow, query.data ?? [], now)?.netUsd ?? 0);
  const total = net.reduce((sum, each) => sum + each, 0);
  const since = followed.map(({ follow }) => follow.since).toSorted()[0] ?? '';
  return (
    <>
      On paper: <Gain usd={total} /> since <LocalTime at={since} format={formatDay} />
    </>
  );
}

interface RowProps extends Followed {
  /** Renders the result of a caller who is followed with an amount. */
  children?: (calls: readonly CopiedCall[]) => ReactNode;
}

function Row({ follow, query, children }: RowProps) {
  const { caller, amountUsd, since } = follow;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-3">
      <Avatar src={caller.profileImageUrl} letter={initialOf(caller, 'C')} size="sm" />
      <div className="min-w-36 flex-1">
        <p className="flex items-center gap-1.5 text-sm font-medium">
          <CallerLink caller={caller} />
          {caller.isVerified && <VerifiedMark />}
        </p>
        <p className="mt-0.5 text-xs text-text-muted">
          {amountUsd !== null && `${formatUsd(amountUsd)} per call `}since{' '}
          <LocalTime at={since} format={formatDay} />
        </p>
      </div>
      {query.data && children?.(query.data)}
      {query.isPending && children && <Skeleton className="h-8 w-20" />}
      <ChangeButton follow={follow} />
      {query.isLoadingError && (
        <LoadFailedLine what="the results" onRetry={query.refetch} className="w-full" />
      )}
    </li>
  );
}

function Result({ follow, calls, now }: { follow: PaperFollow; calls: readonly CopiedCall[]; now: number }) {
  const result = resultOf(follow, calls, now);
  if (result === null) return null;
  return (
    <div className="text-right">
      <p className="text-lg font-semibold">
        <Gain usd={result.netUsd} />
      </p>
      <p className="text-xs text-text-muted">
        {pluralize(result.calls, 'call')}
        {result.feesUsd > 0 && `, ${formatUsd(result.feesUsd)} fees`}, needed{' '}
        {formatUsd(Math.ceil(result.neededUsd))}
      </p>
    </div>
  );
}

function Gain({ usd }: { usd: number }) {
  return <span className={usd < 0 ? 'figures text-loss' : 'figures text-gain'}>{formatGain(usd)}</span>;
}

function LatestEnds({ followed }: { followed: readonly Followed[] }) {
  const ends = latestEnds(followed.map(({ follow, query }) => ({ follow, calls: query.data ?? [] })));
  if (followed.some(({ query }) => query.isPending)) return null;
  return (
    <Card title="Ended calls" isFlush>
      {ends.length === 0 && (
        <p className="p-4 text-sm text-text-muted">
          No ranked call has been made and ended since you follow. Open calls count once they end.
        </p>
      )}
      <ul aria-label="Ended calls" className="divide-y divide-line empty:hidden">
        {ends.map(({ call, follow, text }) => (
          <li key={call.id} className="px-4 py-3">
            <Link to="/call/$id" params={{ id: call.id }} className="link text-sm">
              {text}
            </Link>
            <p className="mt-0.5 flex gap-2 text-xs text-text-muted">
              <CallerLink caller={follow.caller} />
              <RelativeTime at={call.endTimestamp} />
            </p>
          </li>
        ))}
      </ul>
    </Card>
  );
}
