import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { CallDetail } from '#schema/contracts/calls.ts';
import { fullName } from '#schema/rules/people/person-name.ts';
import { Address } from '#web/ui/figures/address.tsx';
import { Avatar } from '#web/ui/people/avatar.tsx';
import { Badge } from '#web/ui/people/badge.tsx';
import { buttonClassName } from '#web/ui/controls/button-class-name.ts';
import { BuyLink } from '#web/ui/controls/buy-link.tsx';
import { RelativeTime } from '#web/ui/figures/relative-time.tsx';
import { TokenLink } from '#web/ui/figures/token-link.tsx';
import { VerifiedMark } from '#web/ui/people/verified-mark.tsx';

const originTexts = { site: null, api: 'by a program', telegram: 'on Telegram' } as const;

export interface CallHeaderProps {
  call: CallDetail;
  isOwner: boolean;
  share: ReactNode;
}

export function CallHeader({ call, isOwner, share }: CallHeaderProps) {
  const { caller, tokenName, tokenSymbol, tokenMint, isActive } = call;
  return (
    <header className="mt-2 flex flex-wrap items-start justify-between gap-4">
      <div className="flex min-w-0 items-start gap-3">
        <Avatar src={call.logoURI} letter={tokenSymbol} shape="token" />
        <div className="min-w-0">
          <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <h1 className="min-w-0 text-lg font-semibold tracking-tight wrap-anywhere">
              <bdi>{tokenName}</bdi>{' '}
              <bdi className="font-normal text-text-muted">
                {isActive && !isOwner ? tokenSymbol : <TokenLink mint={tokenMint}>{tokenSymbol}</TokenLink>}
              </bdi>
            </h1>
            <Badge tone={isActive ? 'accent' : 'neutral'}>{isActive ? 'Active' : 'Ended'}</Badge>
          </div>
          <p className="flex flex-wrap items-center gap-x-1.5 text-sm text-text-muted">
            Called by
            <Link
              to="/caller/$username"
              params={{ username: call.callerId }}
              className="inline-flex max-w-full items-center gap-1 py-1 font-medium text-text underline-offset-4 hover:underline"
            >
              <bdi className="truncate">{fullName(caller)}</bdi>
              {caller.isVerified && <VerifiedMark size={14} />}
            </Link>
            <RelativeTime at={call.callTimestamp} />
            {originTexts[call.madeOn]}
          </p>
          <Address value={tokenMint} label={`mint of ${tokenSymbol}`} isFull />
        </div>
      </div>
      <div className="flex flex-wrap gap-2">
        {isOwner && isActive && (
          <Link to="/dashboard" className={buttonClassName({ size: 'sm' })}>
            Update or end call
          </Link>
        )}
        {share}
        <BuyLink {...call} />
      </div>
    </header>
  );
}
