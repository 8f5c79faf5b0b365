import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { TokenCall } from '#schema/contracts/calls.ts';
import type { ShownPrices } from '#schema/contracts/prices.ts';
import { changePercent } from '#schema/rules/performance.ts';
import { currentPriceOf } from '#web/lib/current-price.ts';
import { fullName } from '#schema/rules/person-name.ts';
import { Address } from '#web/ui/address.tsx';
import { Avatar } from '#web/ui/avatar.tsx';
import { CallBadges } from '#web/ui/call-badges.tsx';
import { CallLine } from '#web/ui/call-line.tsx';
import { Change } from '#web/ui/change.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { CurrentPrice } from '#web/ui/current-price.tsx';
import { HeldTime } from '#web/ui/held-time.tsx';
import { Price } from '#web/ui/price.tsx';
import { RelativeTime } from '#web/ui/relative-time.tsx';
import { TokenName } from '#web/ui/token-name.tsx';

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
              hasCaller={hasCaller}
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

function CalledToken({
  call,
  hasCaller,
  className,
}: {
  call: TokenCall;
  hasCaller: boolean;
  className: string | undefined;
}) {
  return (
    <div className={classNames('flex min-w-0 items-center gap-3', className)}>
      <Avatar src={call.logoURI} letter={call.tokenSymbol} size="sm" shape="token" />
      <div className="min-w-0">
        <TokenName name={call.tokenName} symbol={call.tokenSymbol} callId={call.id} />
        <div className="flex flex-wrap items-center gap-x-2 text-xs text-text-muted">
          {hasCaller && (
            <Link
              to="/caller/$username"
              params={{ username: call.callerId }}
              dir="auto"
              className="block max-w-full truncate py-1 underline-offset-4 hover:text-text hover:underline"
            >
              {fullName(call.caller)}
            </Link>
          )}
          <RelativeTime at={call.endTimestamp ?? call.callTimestamp} />
          <HeldTime callTimestamp={call.callTimestamp} endTimestamp={call.endTimestamp} />
          <Address value={call.tokenMint} label={`mint of ${call.tokenSymbol}`} />
          <CallBadges call={call} />
        </div>
      </div>
    </div>
  );
}
