import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { TokenCall } from '#schema/contracts/calls.ts';
import type { ShownPrices } from '#schema/contracts/prices.ts';
import { changePercent } from '#schema/rules/performance.ts';
import { fullName } from '#web/lib/person.ts';
import { Address } from '#web/ui/address.tsx';
import { Avatar } from '#web/ui/avatar.tsx';
import { Change } from '#web/ui/change.tsx';
import { Price } from '#web/ui/price.tsx';
import { RelativeTime } from '#web/ui/relative-time.tsx';

export interface CallRowsProps {
  label: string;
  calls: readonly TokenCall[];
  /** Current prices by mint, for calls that have not ended. */
  prices?: ShownPrices | undefined;
  /** Names whose call it is. */
  hasCaller?: boolean | undefined;
  /** What can be done with a call. */
  renderAction?: ((call: TokenCall) => ReactNode) | undefined;
}

/** Calls, one a row: the token, from which price to which, and what that makes of it. */
export function CallRows({ label, calls, prices, hasCaller = false, renderAction }: CallRowsProps) {
  return (
    <ul aria-label={label} className="divide-y divide-line">
      {calls.map((call) => {
        const until = call.endPrice ?? prices?.[call.tokenMint]?.price;
        return (
          <li key={call.id} className="flex flex-wrap items-center gap-x-6 gap-y-2 px-4 py-3">
            <CalledToken call={call} hasCaller={hasCaller} />
            <dl className="grid grow grid-cols-[auto_1fr] gap-x-3 text-sm sm:grow-0 sm:basis-48 [&>dd]:text-right [&>dt]:text-text-muted">
              <dt>Entry</dt>
              <dd>
                <Price value={call.entryPrice} />
              </dd>
              <dt>{call.isActive ? 'Now' : 'End'}</dt>
              <dd>
                <Price value={until} />
              </dd>
            </dl>
            <div className="ml-auto flex items-center gap-3">
              <Change percent={until === undefined ? null : changePercent(call.entryPrice, until)} zeroIs={call.isActive ? 'gain' : 'loss'} className="min-w-24 justify-end text-lg font-semibold" />
              {renderAction?.(call)}
            </div>
          </li>
        );
      })}
    </ul>
  );
}

function CalledToken({ call, hasCaller }: { call: TokenCall; hasCaller: boolean }) {
  return (
    <div className="flex min-w-0 basis-full items-center gap-3 sm:flex-1 sm:basis-56">
      <Avatar src={call.logoURI} letter={call.tokenSymbol} size="sm" shape="token" />
      <div className="min-w-0">
        <p className="flex min-w-0 items-baseline gap-1.5">
          <span className="truncate font-medium">{call.tokenName}</span>
          <span className="shrink-0 text-xs text-text-muted">{call.tokenSymbol}</span>
        </p>
        <div className="flex flex-wrap items-center gap-x-2 text-xs text-text-muted">
          {hasCaller && (
            <Link to="/caller/$username" params={{ username: call.callerId }} className="inline-flex min-h-6 items-center underline-offset-4 hover:text-text hover:underline">
              {fullName(call.caller)}
            </Link>
          )}
          <RelativeTime at={call.endTimestamp ?? call.callTimestamp} />
          <Address value={call.tokenMint} label={`mint of ${call.tokenSymbol}`} />
        </div>
      </div>
    </div>
  );
}
