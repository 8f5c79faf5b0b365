import { memo, type ReactNode } from 'react';
import type { TokenCall } from '#schema/contracts/calls.ts';
import { formatRecentCallPrice } from '#schema/rules/prices/format-prices.ts';
import { Change } from '#web/ui/figures/change.tsx';
import { MarketCap } from '#web/ui/figures/market-cap.tsx';
import { Price } from '#web/ui/figures/price.tsx';
import { RelativeTime } from '#web/ui/figures/relative-time.tsx';
import { endedChange } from './call-change.ts';
import { CallCallerRow, CallToken } from './call-people.tsx';
import type { RecentCallsTableProps } from './recent-calls-table.tsx';

export function RecentCallCards({ calls, label = 'Recent Calls' }: RecentCallsTableProps) {
  return (
    <div role="list" aria-label={label}>
      {calls.map((call) => (
        <RecentCallCard key={call.id} call={call} />
      ))}
    </div>
  );
}

const RecentCallCard = memo(function RecentCallCard({ call }: { call: TokenCall }) {
  return (
    <div
      role="listitem"
      className="painted-near mb-3 rounded-md border border-line bg-surface-raised [contain-intrinsic-height:auto_189px]"
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
