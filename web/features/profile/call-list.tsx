import { useCallback, type ReactNode } from 'react';
import type { TokenCall } from '#schema/contracts/calls.ts';
import type { ShownPrices } from '#schema/contracts/prices.ts';
import { ByWidth } from '#web/lib/by-width.tsx';
import { currentPriceOf } from '#web/lib/current-price.ts';
import { BuyLink } from '#web/ui/controls/buy-link.tsx';
import { ChunkedList, ChunkedTableBodies } from '#web/ui/lists/chunked-rows.tsx';
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
  return <ByWidth wide={<CallTable {...props} />} narrow={<CallCards {...props} />} />;
}

function CallTable({ label, calls, prices, hasEnd, isFollowed = false, renderAction }: CallListProps) {
  const renderRow = useCallback(
    (call: TokenCall, position: number) => (
      // The head is the first row.
      <TableRow key={call.id} aria-rowindex={position + 1}>
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
    ),
    [prices, hasEnd, isFollowed, renderAction],
  );
  return (
    <Table label={label} rowCount={calls.length + 1}>
      <TableHead>
        <TableHeaderCell>Token</TableHeaderCell>
        <TableHeaderCell isNumeric>Call Price</TableHeaderCell>
        {hasEnd && <TableHeaderCell isNumeric>End Price</TableHeaderCell>}
        <TableHeaderCell isNumeric>Current Price</TableHeaderCell>
        <TableHeaderCell>
          <span className="sr-only">Actions</span>
        </TableHeaderCell>
      </TableHead>
      <ChunkedTableBodies
        name={`${label} of ${calls[0]?.callerId}, table`}
        columns={hasEnd ? 5 : 4}
        rows={calls}
        renderRow={renderRow}
        textOf={tokenText}
        estimatedRowHeight={81}
      />
    </Table>
  );
}

function CallCards({ label, calls, prices, hasEnd, isFollowed = false, renderAction }: CallListProps) {
  const size = calls.length;
  const renderCard = useCallback(
    (call: TokenCall, position: number) => (
      <div
        key={call.id}
        role="listitem"
        aria-posinset={position}
        aria-setsize={size}
        className="border-t border-line px-4 py-3"
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
    ),
    [prices, hasEnd, isFollowed, renderAction, size],
  );
  return (
    <div className="-mt-px">
      <ChunkedList
        name={`${label} of ${calls[0]?.callerId}, cards`}
        label={label}
        rows={calls}
        renderRow={renderCard}
        textOf={tokenText}
        estimatedRowHeight={170}
        className="flow-root [contain-intrinsic-height:auto_1182px] [content-visibility:auto]"
      />
    </div>
  );
}

const tokenText = ({ tokenSymbol, tokenName }: TokenCall) => `${tokenSymbol} ${tokenName}`;

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
