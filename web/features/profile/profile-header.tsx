import { ArrowUpRight, BadgeCheck } from '#web/ui/icons.tsx';
import type { ReactNode } from 'react';
import { formatMonthlyFee } from '#schema/rules/text/format.ts';
import { formatDay } from '#web/lib/text/dates.ts';
import { XHandle } from '#web/lib/people/x-handle.tsx';
import { fullName, shownHandle } from '#schema/rules/people/person-name.ts';
import { initialOf } from '#web/lib/people/person.ts';
import { SolUsd } from '#web/lib/money/sol-usd.tsx';
import { Avatar } from '#web/ui/people/avatar.tsx';
import { Badge } from '#web/ui/people/badge.tsx';
import { useTimeZone } from '#web/ui/figures/use-time-zone.ts';
import { About } from './about.tsx';
import { ProfileStatus, type ProfileStatusProps } from './profile-status.tsx';

export interface ProfileHeaderProps extends ProfileStatusProps {
  /** The line that verifies the record. */
  verify: ReactNode;
}

export function ProfileHeader({ verify, ...props }: ProfileHeaderProps) {
  const { caller } = props;
  const timeZone = useTimeZone();
  return (
    <header className="grid items-start gap-x-6 gap-y-2 md:grid-cols-[minmax(0,1fr)_auto]">
      <div className="flex min-w-0 items-center gap-4">
        <Avatar src={caller.profileImageUrl} letter={initialOf(caller, 'C')} size="lg" />
        <div className="min-w-0">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h1 dir="auto" className="text-lg font-semibold tracking-tight md:text-xl">
              {fullName(caller)}
            </h1>
            {caller.isVerified && (
              <Badge tone="accent">
                <BadgeCheck aria-hidden="true" size={14} />
                Verified
              </Badge>
            )}
          </div>
          <div className="flex flex-wrap items-center gap-x-3 text-xs text-text-muted md:text-sm">
            <XHandle
              person={caller}
              className="inline-flex min-h-11 items-center gap-0.5 underline-offset-4 hover:text-text hover:underline md:min-h-8"
            >
              {shownHandle(caller)}
              <ArrowUpRight aria-hidden="true" size={14} />
            </XHandle>
            <span>Member since {formatDay(caller.createdAt, timeZone)}</span>
          </div>
        </div>
      </div>
      <div className="flex min-h-20 flex-wrap items-center gap-x-6 gap-y-2 rounded-md border border-line bg-surface-raised py-2 pr-3 pl-4 *:last:ml-auto">
        <div className="max-w-full">
          <p className="text-xs text-text-muted">Monthly Fee</p>
          <p className="text-lg font-semibold tabular-nums">{formatMonthlyFee(caller.monthlyFee)}</p>
          <SolUsd sol={caller.monthlyFee} />
        </div>
        <div data-personal>
          <ProfileStatus {...props} />
        </div>
      </div>
      <div className="-mb-2 min-w-0 md:col-span-2">
        <About bio={caller.bio} isOwner={caller.viewer.isOwner} />
        {verify}
      </div>
    </header>
  );
}
