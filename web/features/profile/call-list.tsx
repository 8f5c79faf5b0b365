import { useQuery } from '@tanstack/react-query';
import { memo, useDeferredValue, useMemo, useState, type ReactNode } from 'react';
import { FIRST_ROWS } from '#schema/constants/public.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import type { ShownPrice, ShownPrices } from '#schema/contracts/prices.ts';
import { changePercent } from '#schema/rules/calls/change-percent.ts';
import { formatProfilePrice } from '#schema/rules/prices/format-prices.ts';
import { publicPricesQuery } from '#web/api/prices.queries.ts';
import { onlyEnded } from '#web/lib/calls/ended-call.ts';
import { currentPriceOf } from '#web/lib/calls/current-price.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { BuyLink } from '#web/ui/controls/buy-link.tsx';
import { CalledToken } from '#web/ui/figures/called-token.tsx';
import { Change } from '#web/ui/figures/change.tsx';
import { CurrentPrice } from '#web/ui/figures/current-price.tsx';
import { MarketCap } from '#web/ui/figures/market-cap.tsx';
import { Price } from '#web/ui/figures/price.tsx';
import { Table, TableCell, TableHead, TableHeaderCell, TableRow } from '#web/ui/lists/table.tsx';

export interface CallListProps {
  label: string;
  calls: readonly TokenCall[];
  /** Prices of active calls by mint. */
  livePrices?: ShownPrices | undefined;
  hasEnd: boolean;
  isFollowed?: boolean;
  renderAction?: ((call: TokenCall) => ReactNode) | undefined;
}

export const CallList = memo(function CallList({ label, calls, livePrices, ...row }: CallListProps) {
  const [hasAll, setHasAll] = useState(false);
  const shown = hasAll ? calls : calls.slice(0, FIRST_ROWS.history);
  const { hasEnd } = row;
  const mints = hasEnd ? onlyEnded(shown).map(({ tokenMint }) => tokenMint) : [];
  const { data: publicPrices } = useQuery(publicPricesQuery(mints));
  // Deferred, because each new price rerenders a row.
  const prices = useDeferredValue(
    useMemo(() => ({ ...publicPrices, ...livePrices }), [publicPrices, livePrices]),
  );
  return (
    <>
      <Table label={label} cards="row-cards">
        <TableHead>
          <TableHeaderCell>Token</TableHeaderCell>
          <TableHeaderCell isNumeric>Call Price</TableHeaderCell>
          {hasEnd && <TableHeaderCell isNumeric>End Price</TableHeaderCell>}
          <TableHeaderCell isNumeric>Current Price</TableHeaderCell>
          <TableHeaderCell>
            <span className="sr-only">Actions</span>
          </TableHeaderCell>
        </TableHead>
        <tbody>
          {shown.map((call) => (
            <CallRow key={call.id} call={call} price={currentPriceOf(call, prices)} {...row} />
          ))}
        </tbody>
      </Table>
      {calls.length > FIRST_ROWS.history && (
        <p className="border-t border-line p-3 text-center">
          {/** Stays, so that it keeps the focus. */}
          <Button onClick={() => setHasAll(!hasAll)}>
            {hasAll ? 'Show fewer' : `Show all ${calls.length} calls`}
          </Button>
        </p>
      )}
    </>
  );
});

interface CallRowProps extends Pick<CallListProps, 'hasEnd' | 'isFollowed' | 'renderAction'> {
  call: TokenCall;
  price: ShownPrice | undefined;
}

const CallRow = memo(function CallRow({
  call,
  price,
  hasEnd,
  isFollowed = false,
  renderAction,
}: CallRowProps) {
  return (
    <TableRow>
      <TableCell isRowHeader className="md:max-w-48">
        <CalledToken call={call} at={call.callTimestamp} isFollowed={isFollowed} />
      </TableCell>
      <TableCell isNumeric label="Call Price">
        <Price value={call.entryPrice} format={formatProfilePrice} />
        <MarketCap call={call} price={call.entryPrice} />
      </TableCell>
      {hasEnd && (
        <TableCell isNumeric label="End Price">
          <EndPrice call={call} />
        </TableCell>
      )}
      <TableCell isNumeric label="Current Price">
        <PriceNow call={call} price={price} hasCap={!hasEnd} />
      </TableCell>
      <TableCell className="text-right">
        <span className="inline-flex gap-2 max-xl:md:flex-col">
          {renderAction?.(call)}
          <BuyLink {...call} />
        </span>
      </TableCell>
    </TableRow>
  );
});

function EndPrice({ call }: { call: TokenCall }) {
  if (call.endPrice === undefined) return <span className="text-text-muted">Active</span>;
  return (
    <>
      <Price value={call.endPrice} format={formatProfilePrice} className="md:block" />
      <ChangeSince call={call} price={call.endPrice} />
      <MarketCap call={call} price={call.endPrice} />
    </>
  );
}

interface PriceNowProps {
  call: TokenCall;
  price: ShownPrice | undefined;
  hasCap: boolean;
}

function PriceNow({ call, price, hasCap }: PriceNowProps) {
  return (
    <>
      <CurrentPrice price={price} format={formatProfilePrice} className="md:block" />
      {price && <ChangeSince call={call} price={price.price} />}
      {hasCap && <MarketCap call={call} price={price?.price} />}
    </>
  );
}

function ChangeSince({ call, price }: { call: TokenCall; price: string }) {
  const percent = changePercent(call.entryPrice, price);
  return <Change percent={percent} zeroIs="gain" className="text-base font-semibold" />;
}
