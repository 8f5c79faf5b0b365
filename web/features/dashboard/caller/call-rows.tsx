import type { ReactNode } from 'react';
import type { TokenCall } from '#schema/contracts/calls.ts';
import { changeSinceEntry } from '#schema/rules/calls/change-percent.ts';
import { marketCapAt } from '#schema/rules/calls/market-cap.ts';
import { formatCallerListPrice, formatPrice } from '#schema/rules/prices/format-prices.ts';
import { formatMarketCap } from '#schema/rules/text/format.ts';
import { CalledToken } from '#web/ui/figures/called-token.tsx';
import { CallerLink } from '#web/ui/people/caller-link.tsx';
import { CallLine } from '#web/ui/charts/call-line.tsx';
import { Change } from '#web/ui/figures/change.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { CurrentPrice } from '#web/ui/figures/current-price.tsx';
import { Price } from '#web/ui/figures/price.tsx';
import { Fact } from '#web/ui/lists/facts.tsx';

interface RowOptions {
  /** True in a caller's own lists, which name no caller and show more decimals. */
  isOwn?: boolean | undefined;
  renderAction: (call: TokenCall) => ReactNode;
  /** On phones, a wide action gets its own row. On desktops, it replaces the `CallLine`. */
  hasWideAction?: boolean;
}

export interface CallRowsProps extends RowOptions {
  label: string;
  calls: readonly TokenCall[];
}

export function CallRows({ label, calls, ...options }: CallRowsProps) {
  return (
    <ul aria-label={label} className="@container divide-y divide-line">
      {calls.map((call) => (
        <CallRow key={call.id} call={call} {...options} />
      ))}
    </ul>
  );
}

function CallRow({ call, ...options }: RowOptions & { call: TokenCall }) {
  const { isOwn = false, renderAction, hasWideAction = false } = options;
  const percent = changeSinceEntry(call);
  return (
    <li className={classNames(ROW, !hasWideAction && '@2xl:grid-cols-[minmax(0,1fr)_10rem_11rem_auto]')}>
      <CalledToken
        call={call}
        at={call.endTimestamp ?? call.callTimestamp}
        isFollowed
        caller={!isOwn && <CallerLink caller={call.caller} className="max-w-full py-1 hover:text-text" />}
        className={hasWideAction ? '@max-xl:col-span-2' : undefined}
      />
      <Prices call={call} format={isOwn ? formatCallerListPrice : formatPrice} />
      <span className="flex items-center justify-end gap-3">
        {!hasWideAction && <CallLine percent={percent} isOpen={call.isActive} className="@max-2xl:hidden" />}
        <Change
          percent={percent}
          zeroIs={call.isActive ? 'gain' : 'loss'}
          className="min-w-24 text-right text-lg font-semibold"
        />
      </span>
      <div
        className={
          hasWideAction
            ? '@max-xl:col-span-2'
            : '@max-xl:col-start-2 @max-xl:row-start-1 @max-xl:justify-self-end'
        }
      >
        {renderAction(call)}
      </div>
    </li>
  );
}

/** The columns have fixed widths, so that figures align across rows. */
const ROW = classNames(
  'grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 gap-y-2 px-4 py-3 @xl:gap-x-5',
  '@xl:grid-cols-[minmax(0,1fr)_10rem_7rem_auto]',
);

/**
 * Describes the market caps at a call's entry and at its end or now: '$1.8B → $2.4B'. Null if the market cap
 * at the entry is unknown.
 */
function describeMarketCaps(call: TokenCall, price: string | undefined): string | null {
  const entry = marketCapAt(call, call.entryPrice);
  if (entry === null) return null;
  const until = price === undefined ? null : marketCapAt(call, price);
  return until === null ? formatMarketCap(entry) : `${formatMarketCap(entry)} → ${formatMarketCap(until)}`;
}

function Prices({ call, format }: { call: TokenCall; format: (price: string | number) => string }) {
  const caps = describeMarketCaps(call, call.endPrice ?? call.lastPrice?.price);
  return (
    <dl
      className={classNames(
        'grid grid-cols-[auto_auto] justify-start gap-x-3 text-sm whitespace-nowrap',
        '@xl:grid-cols-[auto_1fr] @xl:justify-stretch [&>dd]:text-right [&>dt]:text-text-muted',
      )}
    >
      <Fact name="Entry" value={<Price value={call.entryPrice} format={format} />} />
      <Fact name={call.isActive ? 'Now' : 'End'}>
        {call.endPrice === undefined ? (
          <CurrentPrice price={call.lastPrice} format={format} />
        ) : (
          <Price value={call.endPrice} format={format} />
        )}
      </Fact>
      {caps !== null && (
        <>
          <dt className="text-xs">
            <abbr title="Market cap" className="no-underline">
              MC
            </abbr>
          </dt>
          <dd className="figures text-xs text-text-muted">{caps}</dd>
        </>
      )}
    </dl>
  );
}
