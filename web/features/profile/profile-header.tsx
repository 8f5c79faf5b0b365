import { ArrowUpRight, BadgeCheck } from 'lucide-react';
import { formatMonthlyFee } from '#schema/rules/text/format.ts';
import { formatDay } from '#web/lib/text/dates.ts';
import { isFreeCaller } from '#web/lib/money/fees.ts';
import { XHandle } from '#web/lib/people/x-handle.tsx';
import { fullName, shownHandle } from '#schema/rules/people/person-name.ts';
import { initialOf } from '#web/lib/people/person.ts';
import { SolUsd } from '#web/lib/money/sol-usd.tsx';
import { Avatar } from '#web/ui/people/avatar.tsx';
import { Badge } from '#web/ui/people/badge.tsx';
import { useTimeZone } from '#web/ui/figures/use-time-zone.ts';
import { ProfileStatus, type ProfileStatusProps } from './profile-status.tsx';

export function ProfileHeader(props: ProfileStatusProps) {
  const { caller } = props;
  const timeZone = useTimeZone();
  const fee = formatMonthlyFee(caller.monthlyFee);
  return (
    <header className="mt-2 flex flex-col gap-5 md:flex-row md:flex-wrap md:items-center md:justify-between">
      <div className="flex max-w-full min-w-0 items-center gap-4">
        <Avatar src={caller.profileImageUrl} letter={initialOf(caller, 'C')} size="xl" />
        <div className="min-w-0">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h1 dir="auto" className="text-xl font-semibold tracking-tight">
              {fullName(caller)}
            </h1>
            {caller.isVerified && (
              <Badge tone="accent">
                <BadgeCheck aria-hidden="true" size={14} />
                Verified
              </Badge>
            )}
          </div>
          <div className="flex flex-wrap items-center gap-x-3 text-sm text-text-muted">
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
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3 rounded-md border border-line bg-surface-raised py-3 pr-3 pl-4 *:last:ml-auto">
        <div className="max-w-full">
          <p className="text-xs text-text-muted">Monthly Fee</p>
          <p className="tabular-nums">
            <span className="text-lg font-semibold">{fee}</span>
            {!isFreeCaller(caller) && fee !== 'Not Set' && (
              <span className="text-sm text-text-muted"> / month</span>
            )}
          </p>
          <SolUsd sol={caller.monthlyFee} />
        </div>
        <div data-personal>
          <ProfileStatus {...props} />
        </div>
      </div>
    </header>
  );
}
