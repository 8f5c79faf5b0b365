import type { ReactNode } from 'react';
import type { TokenCall } from '#schema/contracts/calls.ts';
import { describeHeld } from '#schema/rules/text/format-durations.ts';
import { Address } from './address.tsx';
import { Avatar } from '../people/avatar.tsx';
import { CallBadges } from './call-badges.tsx';
import { classNames } from '../class-names.ts';
import { RelativeTime } from './relative-time.tsx';
import { TokenName } from './token-name.tsx';

export interface CalledTokenProps {
  call: TokenCall;
  at: string;
  caller?: ReactNode;
  /**
   * True if the viewer is or follows the caller. Then the token's page includes the call even while it's
   * active.
   */
  isFollowed?: boolean | undefined;
  className?: string | undefined;
}

export function CalledToken({ call, at, caller, isFollowed = false, className }: CalledTokenProps) {
  return (
    <div className={classNames('flex min-w-0 items-center gap-3', className)}>
      <Avatar src={call.logoURI} name={call.tokenSymbol} size="sm" shape="token" />
      <div className="min-w-0">
        <TokenName
          name={call.tokenName}
          symbol={call.tokenSymbol}
          callId={call.id}
          mint={call.isActive && !isFollowed ? undefined : call.tokenMint}
        />
        <div className="flex flex-wrap items-center gap-x-2 text-xs text-text-muted">
          {caller}
          <span className="whitespace-nowrap">
            {at === call.endTimestamp ? 'Ended' : 'Called'} <RelativeTime at={at} className="lowercase" />
          </span>
          <HeldTime call={call} />
          <Address value={call.tokenMint} label={`token address of ${call.tokenSymbol}`} />
          <CallBadges call={call} />
        </div>
      </div>
    </div>
  );
}

function HeldTime({ call: { callTimestamp, endTimestamp } }: { call: TokenCall }) {
  if (endTimestamp === undefined) return null;
  return <span className="whitespace-nowrap">{describeHeld({ callTimestamp, endTimestamp })}</span>;
}
