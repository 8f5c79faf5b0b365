import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { PaperFollow } from '#schema/contracts/paper-follows.ts';
import { calculate, gainOf, type Calculation } from '#schema/rules/calls/calculator.ts';
import { formatUsd, pluralize } from '#schema/rules/text/format.ts';
import { PAGES } from '#schema/rules/text/page-texts.ts';
import type { CallerResults } from '#schema/contracts/callers.ts';
import { describeOpenCalls } from '#schema/rules/calls/open-calls.ts';
import { formatExactGain, formatGain } from '#schema/rules/text/gains.ts';
import { usePageTitle } from '#web/lib/page/use-page-title.ts';
import { resultsQuery } from '#web/api/callers.queries.ts';
import { paperFollowsQuery } from '#web/api/paper-follows.queries.ts';
import { ListState } from '#web/lib/page/list-state.tsx';
import { LoadFailedLine } from '#web/lib/page/load-failed-line.tsx';
import { PersonAvatar } from '#web/lib/people/person-avatar.tsx';
import { formatDay } from '#web/lib/text/dates.ts';
import { Gain } from '#web/lib/money/gain.tsx';
import { DirectoryLink } from '#web/lib/page/directory-link.tsx';
import { LineChart } from '#web/ui/charts/line-chart.tsx';
import { Change } from '#web/ui/figures/change.tsx';
import { LocalTime } from '#web/ui/figures/local-time.tsx';
import { RelativeTime } from '#web/ui/figures/relative-time.tsx';
import { Card } from '#web/ui/lists/card.tsx';
import { aboveCoveringLinkClassName, coveringLinkClassName } from '#web/ui/lists/covering-link.ts';
import { Skeleton } from '#web/ui/lists/skeleton.tsx';
import { RowSkeletons } from '#web/ui/lists/row-skeletons.tsx';
import { Table, TableCell, TableHead, TableHeaderCell, TableRow } from '#web/ui/lists/table.tsx';
import { CallerLink } from '#web/ui/people/caller-link.tsx';
import { PaperButton } from '#web/lib/paper/paper-button.tsx';

const SHOWN_ENDS = 20;
const SKELETONS = 5;

export function PortfolioPage() {
  usePageTitle(PAGES['/portfolio'].title);
  const query = useQuery({ ...paperFollowsQuery, staleTime: 0 });
  return (
    <div className="desk-wide grid gap-4 py-6 *:min-w-0 md:py-10">
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

interface FollowedCaller {
  readonly follow: PaperFollow;
  readonly query: Pick<UseQueryResult, 'isPending' | 'refetch'>;
  /** Null if the user only watches the caller. Undefined until the caller's calls have loaded. */
  readonly result: Calculation | null | undefined;
  readonly openCalls: string | undefined;
}

function Portfolio({ follows, now }: { follows: readonly PaperFollow[]; now: number }) {
  const first = follows.map(({ since }) => since.slice(0, 10)).toSorted()[0] ?? '';
  const callerIds = follows.map(({ caller }) => caller.id);
  const query = useQuery(resultsQuery(callerIds, first));
  const results = new Map(query.data?.map((each) => [each.caller.id, each]));
  const rows = follows.map((follow): FollowedCaller => {
    const found = results.get(follow.caller.id);
    const result = found && resultOf(follow, found, now);
    return { follow, query, result, openCalls: found && describeOpenCalls(found.openCalls) };
  });
  const onPaper = rows.filter(({ follow }) => follow.amountUsd !== null);
  const ends = rows
    .flatMap(({ follow }) => endsOf(follow, results.get(follow.caller.id)))
    .toSorted((one, other) => (one.call.endTimestamp < other.call.endTimestamp ? 1 : -1));
  return (
    <>
      {onPaper.length > 0 && (
        <div className="grid gap-4 *:min-w-0 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)] lg:items-start">
          <OnPaper rows={onPaper} now={now} />
          <Followed title="Callers on paper" rows={onPaper} />
        </div>
      )}
      <Followed title="Without an amount" rows={rows.filter(({ follow }) => follow.amountUsd === null)} />
      {query.isPending ? (
        <RowSkeletons count={SKELETONS} label="Loading results" />
      ) : (
        <EndedCalls ends={ends} />
      )}
    </>
  );
}

function EndedCalls({ ends }: { ends: readonly PaperEnd[] }) {
  return (
    <Card
      title="Ended calls"
      description={ends.length > SHOWN_ENDS ? `The newest ${SHOWN_ENDS}` : undefined}
      isFlush
    >
      {ends.length === 0 ? (
        <p className="p-4 text-sm text-text-muted">
          No ranked call has been made and ended since you began to follow. Open calls count once they end.
        </p>
      ) : (
        <Table label="Ended calls" cards="row-cards">
          <TableHead>
            <TableHeaderCell>Token</TableHeaderCell>
            <TableHeaderCell>Caller</TableHeaderCell>
            <TableHeaderCell isNumeric>Change</TableHeaderCell>
            <TableHeaderCell isNumeric>Paper</TableHeaderCell>
            <TableHeaderCell isNumeric>Ended</TableHeaderCell>
          </TableHead>
          <tbody>
            {ends.slice(0, SHOWN_ENDS).map(({ call, caller, gainUsd }) => (
              <TableRow key={call.id} isLinked>
                <TableCell isRowHeader>
                  <Link
                    to="/call/$id"
                    params={{ id: call.id }}
                    className={`font-medium ${coveringLinkClassName}`}
                  >
                    <bdi>{call.tokenSymbol}</bdi>
                  </Link>
                </TableCell>
                <TableCell label="Caller">
                  <CallerLink caller={caller} className={aboveCoveringLinkClassName} />
                </TableCell>
                <TableCell isNumeric label="Change">
                  <Change percent={call.changePercent} zeroIs="loss" className="font-semibold" />
                </TableCell>
                <TableCell isNumeric label="Paper">
                  {shownGain(gainUsd)}
                </TableCell>
                <TableCell isNumeric className="text-text-muted">
                  <RelativeTime at={call.endTimestamp} />
                </TableCell>
              </TableRow>
            ))}
          </tbody>
        </Table>
      )}
    </Card>
  );
}

function OnPaper({ rows, now }: { rows: readonly FollowedCaller[]; now: number }) {
  const results = rows.flatMap(({ result }) => result ?? []);
  const net = results.reduce((sum, { netUsd }) => sum + netUsd, 0);
  const since = rows.map(({ follow }) => follow.since).toSorted()[0] ?? '';
  const lineOf = (key: 'netUsd' | 'solUsd') => [
    { at: since, value: 0 },
    ...sumOf(results, key),
    { at: new Date(now).toISOString(), value: results.reduce((sum, result) => sum + result[key], 0) },
  ];
  const total = (
    <>
      Paper: <Gain usd={net} /> since <LocalTime at={since} format={formatDay} />
    </>
  );
  return (
    <Card title={results.length === rows.length ? total : 'Paper'}>
      <LineChart
        label="Gains and fees on paper"
        points={lineOf('netUsd')}
        compared={{ names: ['Paper', 'Holding SOL instead'], points: lineOf('solUsd') }}
        isStepped
        baseline={0}
        formatValue={formatGain}
      />
    </Card>
  );
}

/** The sum of several results after each change of one of them, oldest first. */
function sumOf(results: readonly Calculation[], key: 'netUsd' | 'solUsd') {
  let value = 0;
  return results
    .flatMap(({ points }) =>
      points.map((point, index) => ({ at: point.at, change: point[key] - (points[index - 1]?.[key] ?? 0) })),
    )
    .toSorted((one, other) => one.at - other.at)
    .map(({ at, change }) => {
      value += change;
      return { at: new Date(at).toISOString(), value };
    });
}

function Followed({ title, rows }: { title: string; rows: readonly FollowedCaller[] }) {
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

function FollowedRow({ follow: { caller, since }, query, result, openCalls }: FollowedCaller) {
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3 px-4 py-3 max-[22rem]:block">
      <PersonAvatar person={caller} size="sm" />
      <CallerLink caller={caller} className="text-sm font-medium" />
      {result && <Gain usd={result.netUsd} className="justify-self-end text-lg font-semibold" />}
      {!result && <span>{query.isPending && <Skeleton className="h-6 w-14" />}</span>}
      <p className="col-span-2 pt-1 text-xs text-text-muted">
        Since <LocalTime at={since} format={formatDay} />
        {result && `: ${factsOf(result)}`}
        {openCalls && `. ${openCalls}`}
      </p>
      <div className="-mr-4">
        <PaperButton caller={caller} />
      </div>
      {result === undefined && !query.isPending && (
        <LoadFailedLine what="the results" onRetry={query.refetch} className="col-span-full" />
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

function shownGain(gainUsd: PaperEnd['gainUsd']): string {
  if (gainUsd === undefined) return '–';
  return gainUsd === null ? 'no price' : formatExactGain(gainUsd);
}

interface PaperEnd {
  readonly call: CallerResults['calls'][number];
  readonly caller: PaperFollow['caller'];
  /** Undefined without an amount, null without a price. */
  readonly gainUsd: number | null | undefined;
}

function endsOf({ caller, amountUsd, since }: PaperFollow, results: CallerResults | undefined): PaperEnd[] {
  return (results?.calls ?? [])
    .filter(({ callTimestamp }) => callTimestamp >= since)
    .map((call) => ({ call, caller, gainUsd: amountUsd === null ? undefined : gainOf(call, amountUsd) }));
}
