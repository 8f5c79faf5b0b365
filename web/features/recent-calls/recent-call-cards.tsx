import type { ReactNode } from 'react';
import type { TokenCall } from '#schema/contracts/calls.ts';
import { formatRecentCallPrice } from '#schema/rules/format.ts';
import { Change } from '#web/ui/change.tsx';
import { MarketCap } from '#web/ui/market-cap.tsx';
import { Price } from '#web/ui/price.tsx';
import { RelativeTime } from '#web/ui/relative-time.tsx';
import { endedChange } from './call-change.ts';
import { CallCallerRow, CallToken } from './call-people.tsx';

export function RecentCallCards({ calls }: { calls: readonly TokenCall[] }) {
  return (
    <ul className="flex flex-col gap-3">
      {calls.map((call) => (
        <li key={call.id} className="rounded-md border border-line bg-surface-raised">
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
        </li>
      ))}
    </ul>
  );
}

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
