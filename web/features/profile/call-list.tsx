import type { ReactNode } from 'react';
import type { TokenCall } from '#schema/contracts/calls.ts';
import type { ShownPrices } from '#schema/contracts/prices.ts';
import { ResponsiveSwitch } from '#web/lib/page/by-width.tsx';
import { currentPriceOf } from '#web/lib/calls/current-price.ts';
import { BuyLink } from '#web/ui/controls/buy-link.tsx';
import { CalledToken } from '#web/ui/figures/called-token.tsx';
import { describeMarketCaps, MarketCap } from '#web/ui/figures/market-cap.tsx';
import { Table, TableCell, TableHead, TableHeaderCell, TableRow } from '#web/ui/lists/table.tsx';
import { CallPrice, EndPrice, PriceNow } from './call-cells.tsx';

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

export function CallList(props: CallListProps) {
  return <ResponsiveSwitch wide={<CallTable {...props} />} narrow={<CallCards {...props} />} />;
}

function CallTable({ label, calls, prices, hasEnd, isFollowed = false, renderAction }: CallListProps) {
  return (
    <Table label={label}>
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
        {calls.map((call) => (
          <TableRow key={call.id}>
            <TableCell isRowHeader className="max-w-48">
              <CalledToken call={call} at={call.callTimestamp} isFollowed={isFollowed} />
            </TableCell>
            <TableCell isNumeric>
              <CallPrice call={call} />
              <MarketCap call={call} price={call.entryPrice} />
            </TableCell>
            {hasEnd && (
              <TableCell isNumeric>
                <EndPrice call={call} />
                <MarketCap call={call} price={call.endPrice} />
              </TableCell>
            )}
            <TableCell isNumeric>
              <PriceNow call={call} price={currentPriceOf(call, prices)} />
              {!hasEnd && <MarketCap call={call} price={currentPriceOf(call, prices)?.price} />}
            </TableCell>
            <TableCell className="text-right">
              <span className="inline-flex gap-2 max-xl:flex-col">
                {renderAction?.(call)}
                <BuyLink {...call} />
              </span>
            </TableCell>
          </TableRow>
        ))}
      </tbody>
    </Table>
  );
}

function CallCards({ label, calls, prices, hasEnd, isFollowed = false, renderAction }: CallListProps) {
  return (
    <div role="list" aria-label={label} className="-mt-px">
      {calls.map((call) => (
        <div
          key={call.id}
          role="listitem"
          className="painted-near border-t border-line px-4 py-3 [contain-intrinsic-height:auto_172px]"
        >
          <div className="flex items-center justify-between gap-3">
            <CalledToken call={call} at={call.callTimestamp} isFollowed={isFollowed} />
            <span className="inline-flex gap-2">
              {renderAction?.(call)}
              <BuyLink {...call} />
            </span>
          </div>
          <dl className="mt-2 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm [&>dd]:flex [&>dd]:flex-wrap [&>dd]:items-baseline [&>dd]:justify-end [&>dd]:gap-x-3 [&>dd]:text-right [&>dt]:whitespace-nowrap [&>dt]:text-text-muted">
            <dt>Call Price</dt>
            <dd>
              <CallPrice call={call} />
            </dd>
            {hasEnd && (
              <>
                <dt>End Price</dt>
                <dd>
                  <EndPrice call={call} />
                </dd>
              </>
            )}
            <dt>Current Price</dt>
            <dd>
              <PriceNow call={call} price={currentPriceOf(call, prices)} />
            </dd>
            <MarketCapRow call={call} until={call.endPrice ?? currentPriceOf(call, prices)?.price} />
          </dl>
        </div>
      ))}
    </div>
  );
}

/** The market caps at the entry and at the end or now. Renders nothing if they are unknown. */
function MarketCapRow({ call, until }: { call: TokenCall; until: string | undefined }) {
  const caps = describeMarketCaps(call, until);
  if (caps === null) return null;
  return (
    <>
      <dt>Market Cap</dt>
      <dd className="figures">{caps}</dd>
    </>
  );
}
