import { useInfiniteQuery } from '@tanstack/react-query';
import { memo } from 'react';
import { Link } from '@tanstack/react-router';
import { PAGES } from '#schema/rules/text/page-texts.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import { changeSinceEntry } from '#schema/rules/calls/change-percent.ts';
import { formatRecentCallPrice } from '#schema/rules/prices/format-prices.ts';
import { usePageTitle } from '#web/lib/page/use-page-title.ts';
import { endedCallsQuery } from '#web/api/calls.queries.ts';
import { ListState } from '#web/lib/page/list-state.tsx';
import { ShowMore } from '#web/lib/page/show-more.tsx';
import { Card } from '#web/ui/lists/card.tsx';
import { RowSkeletons } from '#web/ui/lists/row-skeletons.tsx';
import { CallLine } from '#web/ui/charts/call-line.tsx';
import { Change } from '#web/ui/figures/change.tsx';
import { MarketCap } from '#web/ui/figures/market-cap.tsx';
import { Price } from '#web/ui/figures/price.tsx';
import { RelativeTime } from '#web/ui/figures/relative-time.tsx';
import { Table, TableCell, TableHead, TableHeaderCell, TableRow } from '#web/ui/lists/table.tsx';
import { XHandle } from '#web/lib/people/x-handle.tsx';
import { Avatar } from '#web/ui/people/avatar.tsx';
import { CallBadges } from '#web/ui/figures/call-badges.tsx';
import { CallerLink } from '#web/ui/people/caller-link.tsx';
import { TokenLink } from '#web/ui/figures/token-link.tsx';
import { VerifiedMark } from '#web/ui/people/verified-mark.tsx';

export function RecentCallsPage() {
  usePageTitle(PAGES['/recent-calls'].title);
  const query = useInfiniteQuery(endedCallsQuery);
  return (
    <div className="desk py-6 md:py-10">
      <h1 className="text-xl font-semibold tracking-tight md:text-2xl">Recent Calls</h1>
      <p className="mt-1 mb-5 text-sm text-text-muted md:mb-7 md:text-base">
        Latest token calls from verified traders
      </p>
      <ListState
        query={query}
        what="recent calls"
        loading={LOADING}
        empty={{
          title: 'No recent calls available',
          description: 'Calls appear here once their callers end them.',
        }}
      >
        {(calls) => <RecentCallsTable calls={calls} />}
      </ListState>
      <ShowMore query={query} failure="Couldn't load older calls. Try again.">
        Show older calls
      </ShowMore>
    </div>
  );
}

const LOADING = (
  <div className="mb-[50dvh]">
    <p aria-hidden="true" className="mb-3 text-sm text-text-muted">
      Loading recent calls...
    </p>
    <Card isFlush>
      <RowSkeletons count={6} label="Loading recent calls" />
    </Card>
  </div>
);

function RecentCallsTable({ calls }: { calls: readonly TokenCall[] }) {
  return (
    <Card isFlush>
      <Table label="Recent Calls" hasCards>
        <TableHead>
          <TableHeaderCell>Caller</TableHeaderCell>
          <TableHeaderCell>Token</TableHeaderCell>
          <TableHeaderCell isNumeric>Call Price</TableHeaderCell>
          <TableHeaderCell isNumeric>End Price</TableHeaderCell>
          <TableHeaderCell isNumeric>Change</TableHeaderCell>
          <TableHeaderCell isNumeric>Ended</TableHeaderCell>
        </TableHead>
        <tbody>
          {calls.map((call) => (
            <CallRow key={call.id} call={call} />
          ))}
        </tbody>
      </Table>
    </Card>
  );
}

const CallRow = memo(function CallRow({ call }: { call: TokenCall }) {
  return (
    <TableRow className="hover:bg-surface-hover">
      <TableCell className="md:max-w-36 lg:max-w-64">
        <CallCaller caller={call.caller} />
      </TableCell>
      <TableCell isRowHeader className="md:max-w-34 lg:max-w-52">
        <CallToken call={call} />
      </TableCell>
      <TableCell isNumeric label="Call">
        <Price value={call.entryPrice} format={formatRecentCallPrice} missing="N/A" />
        <MarketCap call={call} price={call.entryPrice} />
      </TableCell>
      <TableCell isNumeric label="End">
        <Price value={call.endPrice} format={formatRecentCallPrice} missing="N/A" />
        <MarketCap call={call} price={call.endPrice} />
      </TableCell>
      <TableCell isNumeric label="Change">
        <span className="inline-flex items-center gap-3 align-middle">
          <CallLine percent={changeSinceEntry(call)} className="max-lg:hidden" />
          <Change
            percent={changeSinceEntry(call)}
            zeroIs="loss"
            className="min-w-18 text-base font-semibold"
          />
        </span>
      </TableCell>
      <TableCell isNumeric className="text-text-muted">
        <RelativeTime at={call.endTimestamp} />
      </TableCell>
    </TableRow>
  );
});

function CallCaller({ caller }: Pick<TokenCall, 'caller'>) {
  return (
    <div className="flex min-w-0 items-center gap-3">
      <Link
        to="/caller/$username"
        params={{ username: caller.id }}
        tabIndex={-1}
        aria-hidden="true"
        className="-m-1 shrink-0 rounded-full p-1 md:max-lg:hidden"
      >
        <Avatar src={caller.profileImageUrl} name={caller.firstName || 'U'} />
      </Link>
      <div className="min-w-0">
        <p className="flex items-center gap-1">
          <CallerLink caller={caller} className="font-medium" />
          {caller.isVerified && <VerifiedMark size={14} />}
        </p>
        <XHandle
          person={caller}
          className="block w-fit max-w-full truncate py-1 text-xs text-text-muted underline-offset-4 hover:underline"
        />
      </div>
    </div>
  );
}

function CallToken({ call }: { call: TokenCall }) {
  return (
    <div className="flex min-w-0 items-center gap-3">
      <Avatar src={call.logoURI} name={call.tokenSymbol} size="sm" shape="token" />
      <div className="min-w-0">
        <p className="truncate font-medium">
          <Link
            to="/call/$id"
            params={{ id: call.id }}
            className="-my-0.5 inline-block max-w-full truncate py-0.5 align-bottom underline-offset-4 hover:underline"
          >
            {call.tokenSymbol}
          </Link>
        </p>
        <p className="mt-1.5 flex flex-wrap items-center gap-x-2 text-xs text-text-muted">
          <span className="max-w-full truncate">
            <TokenLink mint={call.tokenMint}>{call.tokenName}</TokenLink>
          </span>
          <CallBadges call={call} />
        </p>
      </div>
    </div>
  );
}
