import { Link } from '@tanstack/react-router';
import type { TokenCall } from '#schema/contracts/calls.ts';
import { xProfileUrl } from '#web/lib/links.ts';
import { fullName } from '#web/lib/person.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { VerifiedMark } from '#web/ui/verified-mark.tsx';

/** Who made the call: picture and name lead to the profile here, the handle to the one on X. */
export function CallCaller({ caller }: Pick<TokenCall, 'caller'>) {
  return (
    <div className="flex min-w-0 items-center gap-3">
      <Link to="/caller/$username" params={{ username: caller.id }} tabIndex={-1} aria-hidden="true" className="-m-1 shrink-0 rounded-full p-1">
        <Avatar src={caller.profileImageUrl} letter={caller.firstName || 'U'} />
      </Link>
      <div className="min-w-0">
        <p className="flex items-center gap-1">
          <Link
            to="/caller/$username"
            params={{ username: caller.id }}
            className="-my-1 truncate py-1 font-medium underline-offset-4 hover:underline"
          >
            {fullName(caller)}
          </Link>
          {caller.isVerified && <VerifiedMark size={14} />}
        </p>
        <a
          href={xProfileUrl(caller.twitterHandle)}
          target="_blank"
          rel="noopener noreferrer"
          className="-my-1 inline-block max-w-full truncate py-1 text-xs text-text-muted underline-offset-4 hover:underline"
        >
          @{caller.twitterHandle}
        </a>
      </div>
    </div>
  );
}

/** What was called. */
export function CallToken({ call }: { call: TokenCall }) {
  return (
    <div className="flex min-w-0 items-center gap-3">
      <Avatar src={call.logoURI} letter={call.tokenSymbol} size="sm" shape="token" />
      <div className="min-w-0">
        <p className="truncate font-medium">{call.tokenSymbol}</p>
        <p className="truncate text-xs text-text-muted">{call.tokenName}</p>
      </div>
    </div>
  );
}
