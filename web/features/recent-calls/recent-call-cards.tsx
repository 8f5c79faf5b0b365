import { memo, useCallback, type ReactNode } from 'react';
import type { TokenCall } from '#schema/contracts/calls.ts';
import { formatRecentCallPrice } from '#schema/rules/format-prices.ts';
import { ChunkedList } from '#web/ui/lists/chunked-rows.tsx';
import { Change } from '#web/ui/figures/change.tsx';
import { MarketCap } from '#web/ui/figures/market-cap.tsx';
import { Price } from '#web/ui/figures/price.tsx';
import { RelativeTime } from '#web/ui/figures/relative-time.tsx';
import { endedChange } from './call-change.ts';
import { CallCallerRow, callText, CallToken } from './call-people.tsx';
import type { RecentCallsTableProps } from './recent-calls-table.tsx';

export function RecentCallCards({ calls, hasMore, label = 'Recent Calls' }: RecentCallsTableProps) {
  const size = hasMore ? -1 : calls.length;
  const renderCard = useCallback(
    (call: TokenCall, position: number) => (
      <RecentCallCard key={call.id} call={call} position={position} size={size} />
    ),
    [size],
  );
  return (
    <ChunkedList
      name={`${label}, cards`}
      rows={calls}
      renderRow={renderCard}
      textOf={callText}
      estimatedRowHeight={200}
      className="flow-root [contain-intrinsic-height:auto_1206px] [content-visibility:auto]"
    />
  );
}

interface RecentCallCardProps {
  call: TokenCall;
  /** Among all calls of the list, from 1. */
  position: number;
  /** The number of calls in the list; -1 if the server has more. */
  size: number;
}

const RecentCallCard = memo(function RecentCallCard({ call, position, size }: RecentCallCardProps) {
  return (
    <div
      role="listitem"
      aria-posinset={position}
      aria-setsize={size}
      className="mb-3 rounded-md border border-line bg-surface-raised"
    >
      <div className="px-4 py-1">
        <CallCallerRow caller={call.caller} />
      </div>
      <div className="border-t border-line px-4 py-3">
        <div className="flex items-center justify-between gap-3">
          <CallToken call={call} />
          <span className="shrink-0 text-xs text-text-muted">
            Ended <RelativeTime at={call.endTimestamp} className="lowercase" />
          </span>
        </div>
        <dl className="mt-3 grid grid-cols-2 gap-x-3 gap-y-2 text-sm min-[23rem]:grid-cols-[1fr_1fr_auto]">
          <CardFigure label="Call">
            <Price value={call.entryPrice} format={formatRecentCallPrice} missing="N/A" />
            <MarketCap call={call} price={call.entryPrice} />
          </CardFigure>
          <CardFigure label="End">
            <Price value={call.endPrice} format={formatRecentCallPrice} missing="N/A" />
            <MarketCap call={call} price={call.endPrice} />
          </CardFigure>
          <CardFigure label="Change" isLast>
            <Change percent={endedChange(call)} zeroIs="loss" className="text-base font-semibold" />
          </CardFigure>
        </dl>
      </div>
    </div>
  );
});

function CardFigure({
  label,
  isLast = false,
  children,
}: {
  label: string;
  isLast?: boolean;
  children: ReactNode;
}) {
  return (
    <div className={isLast ? 'max-[23rem]:col-span-2 min-[23rem]:text-right' : undefined}>
      <dt className="text-xs text-text-muted">{label}</dt>
      <dd className="mt-0.5">{children}</dd>
    </div>
  );
}
