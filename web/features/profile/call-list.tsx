import { useState, type ReactNode } from 'react';
import { FIRST_ROWS } from '#schema/constants.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import type { ShownPrices } from '#schema/contracts/prices.ts';
import { formatProfilePrice } from '#schema/rules/prices/format-prices.ts';
import { currentPriceOf } from '#web/lib/calls/current-price.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { BuyLink } from '#web/ui/controls/buy-link.tsx';
import { CalledToken } from '#web/ui/figures/called-token.tsx';
import { MarketCap } from '#web/ui/figures/market-cap.tsx';
import { Price } from '#web/ui/figures/price.tsx';
import { Table, TableCell, TableHead, TableHeaderCell, TableRow } from '#web/ui/lists/table.tsx';
import { EndPrice, PriceNow } from './call-cells.tsx';

export interface CallListProps {
  label: string;
  calls: readonly TokenCall[];
  /** Current prices by mint. They may be newer than the prices in the calls. */
  prices?: ShownPrices;
  hasEnd: boolean;
  isFollowed?: boolean;
  /** Renders an action next to Buy. */
  renderAction?: ((call: TokenCall) => ReactNode) | undefined;
}

/** Shows the first calls, and the others on request. */
export function CallList({ label, calls, prices, hasEnd, isFollowed = false, renderAction }: CallListProps) {
  const [hasAll, setHasAll] = useState(false);
  const shown = hasAll ? calls : calls.slice(0, FIRST_ROWS.history);
  return (
    <>
      <Table label={label} hasCards>
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
                  <MarketCap call={call} price={call.endPrice} />
                </TableCell>
              )}
              <TableCell isNumeric label="Current Price">
                <PriceNow call={call} price={currentPriceOf(call, prices)} />
                {!hasEnd && <MarketCap call={call} price={currentPriceOf(call, prices)?.price} />}
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
