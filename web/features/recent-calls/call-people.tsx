import { Link } from '@tanstack/react-router';
import type { TokenCall } from '#schema/contracts/calls.ts';
import { XHandle } from '#web/lib/people/x-handle.tsx';
import { Avatar } from '#web/ui/people/avatar.tsx';
import { CallBadges } from '#web/ui/figures/call-badges.tsx';
import { CallerLink } from '#web/ui/people/caller-link.tsx';
import { TokenLink } from '#web/ui/figures/token-link.tsx';
import { VerifiedMark } from '#web/ui/people/verified-mark.tsx';

/** The caller's image and name link to the profile. The handle links to X. */
export function CallCaller({ caller }: Pick<TokenCall, 'caller'>) {
  return (
    <div className="flex min-w-0 items-center gap-3">
      <Link
        to="/caller/$username"
        params={{ username: caller.id }}
        tabIndex={-1}
        aria-hidden="true"
        className="-m-1 shrink-0 rounded-full p-1 md:max-lg:hidden"
      >
        <Avatar src={caller.profileImageUrl} letter={caller.firstName || 'U'} />
      </Link>
      <div className="min-w-0">
        <p className="flex items-center gap-1">
          <CallerLink caller={caller} className="font-medium" />
          {caller.isVerified && <VerifiedMark size={14} />}
        </p>
        <XHandle
          person={caller}
          className="block w-fit max-w-full truncate py-1 text-xs text-text-muted underline-offset-4 hover:underline"
        />
      </div>
    </div>
  );
}

export function CallToken({ call }: { call: TokenCall }) {
  return (
    <div className="flex min-w-0 items-center gap-3">
      <Avatar src={call.logoURI} letter={call.tokenSymbol} size="sm" shape="token" />
      <div className="min-w-0">
        <p className="truncate font-medium">
          <Link
            to="/call/$id"
            params={{ id: call.id }}
            className="-my-0.5 inline-block max-w-full truncate py-0.5 align-bottom underline-offset-4 hover:underline"
          >
            {call.tokenSymbol}
          </Link>
        </p>
        <p className="mt-1.5 flex flex-wrap items-center gap-x-2 text-xs text-text-muted">
          <span className="max-w-full truncate">
            <TokenLink mint={call.tokenMint}>{call.tokenName}</TokenLink>
          </span>
          <CallBadges call={call} />
        </p>
      </div>
    </div>
  );
}
