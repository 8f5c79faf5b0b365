import type { ReactNode } from 'react';
import type { TokenCall } from '#schema/contracts/calls.ts';
import type { ShownPrices } from '#schema/contracts/prices.ts';
import { changePercent } from '#schema/rules/performance.ts';
import { currentPriceOf } from '#web/lib/current-price.ts';
import { CalledToken } from '#web/ui/called-token.tsx';
import { CallerLink } from '#web/ui/caller-link.tsx';
import { CallLine } from '#web/ui/call-line.tsx';
import { Change } from '#web/ui/change.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { CurrentPrice } from '#web/ui/current-price.tsx';
import { Price } from '#web/ui/price.tsx';

export interface CallRowsProps {
  label: string;
  calls: readonly TokenCall[];
  /** Current prices by mint, for calls that have not ended. */
  prices?: ShownPrices | undefined;
  /** Names whose call it is. */
  hasCaller?: boolean | undefined;
  /** The rule of the list for its prices; by itself that of a place without one. */
  formatPrice?: ((price: string | number) => string) | undefined;
  /** What can be done with a call. */
  renderAction?: ((call: TokenCall) => ReactNode) | undefined;
  /** It is wide: on a phone it gets a line of its own, on a desk it takes the place of the drawing. */
  hasWideAction?: boolean | undefined;
}

/** Calls, one a row: the token, from which price to which, and what that makes of it. */
export function CallRows({
  label,
  calls,
  prices,
  hasCaller = false,
  formatPrice,
  renderAction,
  hasWideAction = false,
}: CallRowsProps) {
  return (
    <ul aria-label={label} className="divide-y divide-line">
      {calls.map((call) => {
        const now = currentPriceOf(call, prices);
        const until = call.endPrice ?? now?.price;
        const percent = until === undefined ? null : changePercent(call.entryPrice, until);
        return (
          <li
            key={call.id}
            className={classNames(
              // Columns of fixed widths, so that the figures of all rows stand under each other.
              'grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 gap-y-2 px-4 py-3 sm:gap-x-5',
              renderAction
                ? 'sm:grid-cols-[minmax(0,1fr)_10rem_7rem_auto]'
                : 'sm:grid-cols-[minmax(0,1fr)_10rem_7rem]',
              !hasWideAction &&
                (renderAction
                  ? 'lg:grid-cols-[minmax(0,1fr)_10rem_11rem_auto]'
                  : 'lg:grid-cols-[minmax(0,1fr)_10rem_11rem]'),
            )}
          >
            <CalledToken
              call={call}
              at={call.endTimestamp ?? call.callTimestamp}
              caller={
                hasCaller && <CallerLink caller={call.caller} className="max-w-full py-1 hover:text-text" />
              }
              className={renderAction && !hasWideAction ? undefined : 'max-sm:col-span-2'}
            />
            <dl className="grid grid-cols-[auto_auto] justify-start gap-x-3 text-sm whitespace-nowrap sm:grid-cols-[auto_1fr] sm:justify-stretch [&>dd]:text-right [&>dt]:text-text-muted">
              <dt>Entry</dt>
              <dd>
                <Price value={call.entryPrice} format={formatPrice} />
              </dd>
              <dt>{call.isActive ? 'Now' : 'End'}</dt>
              <dd>
                {call.endPrice === undefined ? (
                  <CurrentPrice price={now} format={formatPrice} />
                ) : (
                  <Price value={call.endPrice} format={formatPrice} />
                )}
              </dd>
            </dl>
            <span className="flex items-center justify-end gap-3">
              {!hasWideAction && (
                <CallLine percent={percent} isOpen={call.isActive} className="max-lg:hidden" />
              )}
              <Change
                percent={percent}
                zeroIs={call.isActive ? 'gain' : 'loss'}
                className="min-w-24 text-right text-lg font-semibold"
              />
            </span>
            {renderAction && (
              <div
                className={
                  hasWideAction
                    ? 'max-sm:col-span-2'
                    : 'max-sm:col-start-2 max-sm:row-start-1 max-sm:justify-self-end'
                }
              >
                {renderAction(call)}
              </div>
            )}
          </li>
        );
      })}
    </ul>
  );
}
