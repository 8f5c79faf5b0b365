import { useState, type ReactNode } from 'react';
import { FIRST_ROWS } from '#schema/constants/public.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import type { ShownPrice, ShownPrices } from '#schema/contracts/prices.ts';
import { changePercent } from '#schema/rules/calls/change-percent.ts';
import { formatProfilePrice } from '#schema/rules/prices/format-prices.ts';
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
  /** Current prices by mint. They may be newer than the prices in the calls. */
  prices?: ShownPrices;
  hasEnd: boolean;
  isFollowed?: boolean;
  renderAction?: ((call: TokenCall) => ReactNode) | undefined;
}

export function CallList({ label, calls, prices, hasEnd, isFollowed = false, renderAction }: CallListProps) {
  const [hasAll, setHasAll] = useState(false);
  const shown = hasAll ? calls : calls.slice(0, FIRST_ROWS.history);
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
            <TableRow key={call.id}>
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
                <PriceNow call={call} price={currentPriceOf(call, prices)} hasCap={!hasEnd} />
              </TableCell>
              <TableCell className="text-right">
                <span className="inline-flex gap-2 max-xl:md:flex-col">
                  {renderAction?.(call)}
                  <BuyLink {...call} />
                </span>
              </TableCell>
            </TableRow>
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
}

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
