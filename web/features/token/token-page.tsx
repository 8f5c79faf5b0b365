import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Suspense, type ReactNode } from 'react';
import { TOKEN_CALLS } from '#schema/constants/market.ts';
import type { TokenCall, TokenCalls } from '#schema/contracts/calls.ts';
import { changeSinceEntry } from '#schema/rules/calls/change-percent.ts';
import { pluralize } from '#schema/rules/text/format.ts';
import { formatPrice } from '#schema/rules/prices/format-prices.ts';
import { hasCode } from '#web/api/api-error.ts';
import { tokenCallsQuery } from '#web/api/calls.queries.ts';
import { formatDay } from '#web/lib/text/dates.ts';
import { FailedPage, MissingPage } from '#web/lib/page/page-problem.tsx';
import { Address } from '#web/ui/figures/address.tsx';
import { Avatar } from '#web/ui/people/avatar.tsx';
import { buttonClassName } from '#web/ui/controls/button-class-name.ts';
import { BuyLink } from '#web/ui/controls/buy-link.tsx';
import { CallBadges } from '#web/ui/figures/call-badges.tsx';
import { Card } from '#web/ui/lists/card.tsx';
import { CallerLink } from '#web/ui/people/caller-link.tsx';
import { Change } from '#web/ui/figures/change.tsx';
import { CurrentPrice } from '#web/ui/figures/current-price.tsx';
import { LineChart } from '#web/ui/charts/line-chart.tsx';
import { LocalTime } from '#web/ui/figures/local-time.tsx';
import { Price } from '#web/ui/figures/price.tsx';
import { SkeletonBars } from '#web/ui/lists/skeleton.tsx';

export interface TokenPageProps {
  mint: string;
  /** The token's safety. The browser requests it; the server-rendered page doesn't have it. */
  facts: ReactNode;
}

export const isTokenMissing = (error: unknown) => hasCode(error, 'tokens.not_found');

export function TokenPage({ mint, facts }: TokenPageProps) {
  const query = useQuery(tokenCallsQuery(mint));
  // Access lost: hide the calls even though they're cached.
  if (isTokenMissing(query.error)) return <TokenMissing />;
  if (query.data) return <Token token={query.data} facts={facts} />;
  if (query.isPending) {
    return (
      <SkeletonBars
        label="Loading token"
        className="desk max-w-4xl py-6"
        bars={['h-24 w-72', 'mt-4 h-5 w-80', 'mt-4 h-86']}
      />
    );
  }
  return <FailedPage title="Token" what="this token" query={query} />;
}

function TokenMissing() {
  return (
    <MissingPage
      title="Token Not Found"
      description="No call on this token has ended yet. Active calls are only for subscribers."
      action={
        <Link to="/recent-calls" className={buttonClassName({ variant: 'primary' })}>
          Back to Recent Calls
        </Link>
      }
    />
  );
}

function Token({ token, facts }: { token: TokenCalls } & Omit<TokenPageProps, 'mint'>) {
  const { mint, symbol, name, logoURI, ended, first, active } = token;
  return (
    <article className="desk py-4 md:py-6">
      <header className="flex flex-wrap items-start justify-between gap-4">
        <div className="flex min-w-0 items-start gap-3">
          <Avatar src={logoURI} name={symbol} shape="token" />
          <div className="min-w-0">
            <h1 className="text-lg font-semibold tracking-tight wrap-anywhere">
              <bdi>{name}</bdi> <bdi className="font-normal text-text-muted">{symbol}</bdi>
            </h1>
            <Address value={mint} label={`token address of ${symbol}`} isFull />
          </div>
        </div>
        <BuyLink tokenMint={mint} tokenSymbol={symbol} />
      </header>
      {first !== null && <FirstCall call={first} />}
      {active.length > 0 && (
        <Card title="Active Calls" description="Yours, and those of callers you follow" className="mt-4">
          <Calls calls={active} />
        </Card>
      )}
      {ended.length > 0 && <PriceCard token={token} />}
      <Suspense>
        <Card title="Safety" className="mt-4">
          {facts}
        </Card>
      </Suspense>
      {ended.length > 0 && (
        <Suspense>
          <Card
            className="mt-4"
            title={
              ended.length < TOKEN_CALLS
                ? pluralize(ended.length, 'ended call')
                : `The newest ${TOKEN_CALLS} ended calls`
            }
          >
            <Calls calls={ended} />
          </Card>
        </Suspense>
      )}
    </article>
  );
}

function FirstCall({ call }: { call: TokenCall }) {
  return (
    <p className="mt-4 text-sm">
      First call that has ended:{' '}
      <CallerLink caller={call.caller} className="font-medium whitespace-normal!" />,{' '}
      <LocalTime at={call.callTimestamp} format={formatDay} />,{' '}
      <Link to="/call/$id" params={{ id: call.id }} className="underline underline-offset-4">
        <Change percent={call.changePercent ?? null} zeroIs="loss" className="font-semibold" />
      </Link>
    </p>
  );
}

function Calls({ calls }: { calls: readonly TokenCall[] }) {
  return (
    <ul className="divide-y divide-line text-sm">
      {calls.map((call) => (
        <li key={call.id} className="flex items-center justify-between gap-x-4 py-2">
          <span className="min-w-0">
            <CallerLink caller={call.caller} className="font-medium whitespace-normal!" />{' '}
            <Link
              to="/call/$id"
              params={{ id: call.id }}
              className="inline-block py-0.5 whitespace-nowrap text-text-muted underline underline-offset-4"
            >
              <LocalTime at={call.callTimestamp} format={formatDay} />
            </Link>{' '}
            <CallBadges call={call} />
          </span>
          <span className="flex shrink-0 flex-wrap justify-end gap-x-4 text-right max-sm:max-w-44">
            <span className="text-text-muted">
              <Price value={call.entryPrice} /> →{' '}
              {call.isActive ? <CurrentPrice price={call.lastPrice} /> : <Price value={call.endPrice} />}
            </span>
            <Change percent={changeSinceEntry(call)} zeroIs="loss" className="min-w-20 font-semibold" />
          </span>
        </li>
      ))}
    </ul>
  );
}

function PriceCard({ token: { symbol, ended, points } }: { token: TokenCalls }) {
  return (
    <Card title="Price" description="While calls were open. Dots are their entries and ends" className="mt-4">
      <LineChart
        label={`Price of ${symbol} while calls were open`}
        points={points.map(({ at, price }) => ({ at, value: Number(price) }))}
        marks={ended.flatMap(marksOf)}
        baseline={Number(ended.at(-1)?.entryPrice)}
        isNeutral
        formatValue={(value) => `$${formatPrice(value)}`}
      />
    </Card>
  );
}

function marksOf({ entryPrice, callTimestamp, endPrice, endTimestamp }: TokenCall) {
  const entry = { at: callTimestamp, value: Number(entryPrice), tone: 'entry' as const };
  if (endPrice === undefined || endTimestamp === undefined) return [entry];
  return [entry, { at: endTimestamp, value: Number(endPrice), tone: 'end' as const }];
}
