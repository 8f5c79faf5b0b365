import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { MINUTE_MS } from '#schema/constants/time.ts';
import type { PaperFollow } from '#schema/contracts/paper-follows.ts';
import { calculate, gainOf, type Calculation } from '#schema/rules/calls/calculator.ts';
import { formatUsd, pluralize } from '#schema/rules/text/format.ts';
import { PAGES } from '#schema/rules/text/page-texts.ts';
import type { CallerResults } from '#schema/contracts/callers.ts';
import { describeOpenCalls } from '#schema/rules/calls/open-calls.ts';
import { describePaperEnd } from '#schema/rules/text/gains.ts';
import { usePageTitle } from '#web/lib/page/use-page-title.ts';
import { callerResultsQuery } from '#web/api/callers.queries.ts';
import { paperFollowsQuery } from '#web/api/paper-follows.queries.ts';
import { ListState } from '#web/lib/page/list-state.tsx';
import { LoadFailedLine } from '#web/lib/page/load-failed-line.tsx';
import { PersonAvatar } from '#web/lib/people/person-avatar.tsx';
import { formatDay } from '#web/lib/text/dates.ts';
import { Gain } from '#web/lib/money/gain.tsx';
import { DirectoryLink } from '#web/lib/page/directory-link.tsx';
import { LocalTime } from '#web/ui/figures/local-time.tsx';
import { RelativeTime } from '#web/ui/figures/relative-time.tsx';
import { Card } from '#web/ui/lists/card.tsx';
import { RowSkeletons } from '#web/ui/lists/row-skeletons.tsx';
import { CallerLink } from '#web/ui/people/caller-link.tsx';
import { PaperButton } from './paper-button.tsx';

const SHOWN_ENDS = 20;
/** The skeletons fill the window, so that the footer doesn't move. */
const SKELETONS = 9;

export function PortfolioPage() {
  usePageTitle(PAGES['/portfolio'].title);
  const query = useQuery({ ...paperFollowsQuery, staleTime: 0 });
  return (
    <div className="desk grid gap-4 py-6 *:min-w-0 md:py-10">
      <header>
        <h1 className="text-xl font-semibold tracking-tight md:text-2xl">Portfolio</h1>
        <p className="mt-1 text-sm text-text-muted md:text-base">
          What copying callers on paper has made. No money moves.
        </p>
      </header>
      <ListState
        query={query}
        what="your portfolio"
        skeletons={SKELETONS}
        empty={{
          title: 'No callers on paper',
          description: 'Open a caller’s profile and press “Paper” to try them without paying.',
          action: <DirectoryLink>Find callers</DirectoryLink>,
        }}
      >
        {(follows) => <Portfolio follows={follows} now={query.dataUpdatedAt} />}
      </ListState>
    </div>
  );
}

interface Followed {
  readonly follow: PaperFollow;
  /** Null if the user only watches the caller. Undefined if the caller's calls failed to load. */
  readonly result: Calculation | null | undefined;
  readonly openCalls: string | undefined;
  readonly retry: () => Promise<unknown>;
}

function Portfolio({ follows, now }: { follows: readonly PaperFollow[]; now: number }) {
  const queries = useQueries({
    queries: follows.map(({ caller }) => ({ ...callerResultsQuery(caller.id), staleTime: MINUTE_MS })),
  });
  if (queries.some(({ isPending }) => isPending)) {
    return <RowSkeletons count={SKELETONS} label="Loading results" />;
  }
  const rows = queries.flatMap(({ data, refetch }, index): Followed[] => {
    const follow = follows[index];
    if (!follow) return [];
    const openCalls = data && describeOpenCalls(data.openCalls);
    return [{ follow, result: data && resultOf(follow, data, now), openCalls, retry: refetch }];
  });
  const ends = rows
    .flatMap(({ follow }, index) => endsOf(follow, queries[index]?.data))
    .toSorted((one, other) => (one.endedAt < other.endedAt ? 1 : -1));
  return (
    <>
      <OnPaper rows={rows.filter(({ follow }) => follow.amountUsd !== null)} />
      <Group title="Without an amount" rows={rows.filter(({ follow }) => follow.amountUsd === null)} />
      <Card
        title="Ended calls"
        description={ends.length > SHOWN_ENDS ? `The newest ${SHOWN_ENDS}` : undefined}
        isFlush
      >
        {ends.length === 0 && (
          <p className="p-4 text-sm text-text-muted">
            No ranked call has been made and ended since you began to follow. Open calls count once they end.
          </p>
        )}
        <ul aria-label="Ended calls" className="divide-y divide-line">
          {ends.slice(0, SHOWN_ENDS).map(({ id, caller, endedAt, text }) => (
            <li key={id} className="px-4 py-3 text-sm">
              <Link to="/call/$id" params={{ id }} className="inline-block py-1 link">
                {text}
              </Link>
              <p className="mt-1 flex gap-2 text-xs text-text-muted">
                <CallerLink caller={caller} />
                <RelativeTime at={endedAt} />
              </p>
            </li>
          ))}
        </ul>
      </Card>
    </>
  );
}

function OnPaper({ rows }: { rows: readonly Followed[] }) {
  const results = rows.flatMap(({ result }) => result ?? []);
  const net = results.reduce((sum, { netUsd }) => sum + netUsd, 0);
  const since = rows.map(({ follow }) => follow.since).toSorted()[0] ?? '';
  const total = (
    <>
      On paper: <Gain usd={net} /> since <LocalTime at={since} format={formatDay} />
    </>
  );
  return <Group title={results.length === rows.length ? total : 'On paper'} rows={rows} />;
}

function Group({ title, rows }: { title: ReactNode; rows: readonly Followed[] }) {
  if (rows.length === 0) return null;
  return (
    <Card title={title} isFlush>
      <ul className="divide-y divide-line">
        {rows.map((row) => (
          <FollowedRow key={row.follow.caller.id} {...row} />
        ))}
      </ul>
    </Card>
  );
}

function FollowedRow({ follow: { caller, since }, result, openCalls, retry }: Followed) {
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3 px-4 pt-3 pb-1">
      <PersonAvatar person={caller} size="sm" />
      <CallerLink caller={caller} className="text-sm font-medium" />
      {result ? <Gain usd={result.netUsd} className="justify-self-end text-lg font-semibold" /> : <span />}
      <p className="col-span-2 text-xs text-text-muted">
        Since <LocalTime at={since} format={formatDay} />
        {result && `: ${factsOf(result)}`}
        {openCalls && `. ${openCalls}`}
      </p>
      <div className="-mr-4">
        <PaperButton caller={caller} isSignedIn />
      </div>
      {result === undefined && (
        <LoadFailedLine what="the results" onRetry={retry} className="col-span-full" />
      )}
    </li>
  );
}

function factsOf({ calls, feesUsd, neededUsd }: Calculation): string {
  const fees = feesUsd > 0 ? `${formatUsd(feesUsd)} fees, ` : '';
  return `${pluralize(calls, 'ended call')}, ${fees}needed up to ${formatUsd(Math.ceil(neededUsd))}`;
}

function resultOf({ amountUsd: stakeUsd, since }: PaperFollow, results: CallerResults, now: number) {
  if (stakeUsd === null) return null;
  return calculate({ callers: [results], stakeUsd, since: Date.parse(since), until: now });
}

function endsOf({ caller, amountUsd, since }: PaperFollow, results: CallerResults | undefined) {
  return (results?.calls ?? [])
    .filter(({ callTimestamp }) => callTimestamp >= since)
    .map((call) => {
      const gainUsd = amountUsd === null ? undefined : gainOf(call, amountUsd);
      const text = describePaperEnd({ symbol: call.tokenSymbol, changePercent: call.changePercent, gainUsd });
      return { id: call.id, caller, endedAt: call.endTimestamp, text };
    });
}
