import { useInfiniteQuery } from '@tanstack/react-query';
import { memo, useDeferredValue, type FormEvent } from 'react';
import { Link, useNavigate } from '@tanstack/react-router';
import { ADDRESS_MAX_LENGTH, TOKEN_SYMBOL_MAX_LENGTH } from '#schema/constants/prices.ts';
import { describeHeld } from '#schema/rules/text/format-durations.ts';
import { PAGES } from '#schema/rules/text/page-texts.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import { changeSinceEntry } from '#schema/rules/calls/change-percent.ts';
import { formatRecentCallPrice } from '#schema/rules/prices/format-prices.ts';
import { usePageTitle } from '#web/lib/page/use-page-title.ts';
import { endedCallsQuery, type EndedCallsFilter } from '#web/api/calls.queries.ts';
import { hasEnded } from '#web/lib/calls/ended-call.ts';
import { Input } from '#web/ui/controls/input.tsx';
import { aboveCoveringLinkClassName, coveringLinkClassName } from '#web/ui/lists/covering-link.ts';
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
import { VerifiedMark } from '#web/ui/people/verified-mark.tsx';
import { readEndedCallsFilter } from './recent-calls-search.ts';

export function RecentCallsPage({ filter }: { filter: EndedCallsFilter }) {
  usePageTitle(PAGES['/recent-calls'].title);
  const query = useInfiniteQuery(endedCallsQuery(filter));
  return (
    <div className="desk-wide py-6 md:py-10">
      <h1 className="text-xl font-semibold tracking-tight md:text-2xl">Recent Calls</h1>
      <p className="mt-1 text-sm text-text-muted md:text-base">
        <span>Latest token calls from verified traders</span>
        {filter.only !== 'verified' && ' and all other callers'}
      </p>
      <Filters symbol={filter.symbol} />
      <ListState
        query={query}
        what="recent calls"
        loading={LOADING}
        empty={filter.only || filter.symbol ? NO_MATCH : NO_CALLS}
      >
        {(calls) => <RecentCallsTable calls={calls} />}
      </ListState>
      <ShowMore query={query} failure="Couldn't load older calls. Try again.">
        Show older calls
      </ShowMore>
    </div>
  );
}

const NO_CALLS = {
  title: 'No recent calls available',
  description: 'Calls appear here once their callers end them.',
};
const NO_MATCH = {
  ...NO_CALLS,
  description: 'No ended call matches. A token is found by its whole symbol, such as WIF.',
};

const CHIPS: readonly { readonly label: string; readonly search: EndedCallsFilter }[] = [
  { label: 'All', search: {} },
  { label: 'Won', search: { only: 'won' } },
  { label: 'Lost', search: { only: 'lost' } },
  { label: 'Micro-caps', search: { only: 'microCaps' } },
  { label: 'Verified callers', search: { only: 'verified' } },
];

function Filters({ symbol }: Pick<EndedCallsFilter, 'symbol'>) {
  const navigate = useNavigate();
  const findToken = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = Object.fromEntries(new FormData(event.currentTarget));
    const typed = String(fields['symbol']).trim();
    // Longer than any symbol, so it's a token's address.
    if (typed.length > TOKEN_SYMBOL_MAX_LENGTH) {
      void navigate({ to: '/token/$mint', params: { mint: typed } });
      return;
    }
    void navigate({ to: '/recent-calls', search: readEndedCallsFilter(fields) });
  };
  return (
    <div role="search" aria-label="Calls" className="mt-4 mb-5 flex flex-wrap items-center gap-1.5 sm:gap-2">
      {CHIPS.map(({ label, search }) => (
        <Link
          key={label}
          to="/recent-calls"
          search={search}
          resetScroll={false}
          activeOptions={{ exact: true }}
          className="inline-flex min-h-11 items-center rounded-full border border-line px-3 text-sm text-text-muted hover:bg-surface-hover aria-[current]:border-text aria-[current]:text-text sm:px-4"
        >
          {label}
        </Link>
      ))}
      {/* Without scripts, the form opens the same address. */}
      <form action="/recent-calls" onSubmit={findToken} className="w-36">
        <Input
          key={symbol}
          type="search"
          name="symbol"
          aria-label="Token symbol or address"
          placeholder="Token symbol"
          defaultValue={symbol}
          maxLength={ADDRESS_MAX_LENGTH}
        />
      </form>
    </div>
  );
}

const LOADING = (
  <div>
    <p aria-hidden="true" className="mb-3 text-sm text-text-muted">
      Loading recent calls...
    </p>
    <Card isFlush>
      <RowSkeletons count={6} label="Loading recent calls" rows="row-lines" />
    </Card>
  </div>
);

function RecentCallsTable({ calls }: { calls: readonly TokenCall[] }) {
  // React draws many rows in between other tasks, so that a phone stays usable.
  const rows = useDeferredValue(calls);
  return (
    <Card isFlush>
      <Table label="Recent Calls" cards="row-lines">
        <TableHead>
          <TableHeaderCell>Caller</TableHeaderCell>
          <TableHeaderCell>Token</TableHeaderCell>
          <TableHeaderCell isNumeric>Call Price</TableHeaderCell>
          <TableHeaderCell isNumeric>End Price</TableHeaderCell>
          <TableHeaderCell isNumeric>Change</TableHeaderCell>
          <TableHeaderCell isNumeric>Ended</TableHeaderCell>
        </TableHead>
        <tbody>
          {rows.map((call) => (
            <CallRow key={call.id} call={call} />
          ))}
        </tbody>
      </Table>
    </Card>
  );
}

const CallRow = memo(function CallRow({ call }: { call: TokenCall }) {
  return (
    <TableRow isLinked>
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
      <TableCell isNumeric>
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
        {hasEnded(call) && <span className="note">{` ${describeHeld(call)}`}</span>}
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
        className={`-m-1 shrink-0 rounded-full p-1 max-md:absolute max-md:left-3 max-[22rem]:hidden md:max-lg:hidden ${aboveCoveringLinkClassName}`}
      >
        <Avatar src={caller.profileImageUrl} name={caller.firstName || 'U'} />
      </Link>
      <div className="min-w-0">
        <p className="flex items-center gap-1">
          <CallerLink caller={caller} className={`font-medium ${aboveCoveringLinkClassName}`} />
          {caller.isVerified && <VerifiedMark size={14} />}
        </p>
        <XHandle
          person={caller}
          className={`block w-fit max-w-full truncate py-1 text-xs text-text-muted underline-offset-4 hover:underline max-md:hidden ${aboveCoveringLinkClassName}`}
        />
      </div>
    </div>
  );
}

function CallToken({ call }: { call: TokenCall }) {
  const { id, tokenSymbol, tokenName, logoURI } = call;
  const isNamed = tokenName.toLowerCase() !== tokenSymbol.toLowerCase();
  return (
    <div className="flex min-w-0 items-center gap-3">
      <Avatar src={logoURI} name={tokenSymbol} size="sm" shape="token" className="max-md:hidden" />
      <p className="flex min-w-0 flex-wrap items-center gap-x-2 max-md:flex-nowrap max-md:overflow-x-clip">
        <Link
          to="/call/$id"
          params={{ id }}
          className={`max-w-full min-w-9 truncate font-medium ${coveringLinkClassName}`}
        >
          {tokenSymbol}
        </Link>
        {isNamed && (
          <span className="max-w-full truncate text-xs text-text-muted max-md:hidden">{tokenName}</span>
        )}
        <CallBadges call={call} />
      </p>
    </div>
  );
}
