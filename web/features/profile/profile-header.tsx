import { useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { formatMonthlyFee } from '#schema/rules/text/format.ts';
import { fullName, shownHandle } from '#schema/rules/people/person-name.ts';
import { ArrowUpRight, BadgeCheck, Pencil } from '#web/ui/icons.tsx';
import { formatDay } from '#web/lib/text/dates.ts';
import { XHandle } from '#web/lib/people/x-handle.tsx';
import { PersonAvatar } from '#web/lib/people/person-avatar.tsx';
import { AfterFee } from '#web/lib/money/after-fee.tsx';
import { SolUsd } from '#web/lib/money/sol-usd.tsx';
import { StakeToggle } from '#web/lib/money/stake.tsx';
import { Badge } from '#web/ui/people/badge.tsx';
import { useTimeZone } from '#web/ui/figures/use-time-zone.ts';
import { currentUserQuery } from '#web/api/session.queries.ts';
import { VerifyRecord } from '#web/lib/verify/verify-record.tsx';
import { lazyDialog } from '#web/lib/page/lazy-dialog.tsx';
import { collapseBlankLines } from '#web/lib/text/blank-lines.ts';
import { buttonClassName } from '#web/ui/controls/button-class-name.ts';
import { ProfileStatus, type ProfileStatusProps } from './profile-status.tsx';

export function ProfileHeader(props: ProfileStatusProps) {
  const { caller } = props;
  const timeZone = useTimeZone();
  return (
    <header className="grid grid-cols-1 items-start gap-x-6 gap-y-2 md:grid-cols-[minmax(0,1fr)_auto]">
      <div className="flex min-w-0 items-center gap-4">
        <PersonAvatar person={caller} size="lg" />
        <div className="min-w-0">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h1 dir="auto" className="text-lg font-semibold tracking-tight md:text-xl">
              {fullName(caller)}
            </h1>
            {caller.isVerified && (
              <Badge tone="accent">
                <BadgeCheck size={14} />
                Verified
              </Badge>
            )}
          </div>
          <div className="flex flex-wrap items-center gap-x-3 text-xs text-text-muted md:text-sm">
            <XHandle
              person={caller}
              className="inline-flex min-h-11 max-w-full items-center gap-0.5 wrap-anywhere underline-offset-4 hover:text-text hover:underline md:min-h-8"
            >
              {shownHandle(caller)}
              <ArrowUpRight size={14} />
            </XHandle>
            <span>Member since {formatDay(caller.createdAt, timeZone)}</span>
          </div>
        </div>
      </div>
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2 rounded-md border border-line bg-surface-raised py-2 pr-2 pl-4 *:last:ml-auto">
        <div className="max-w-full">
          <p className="text-xs text-text-muted">Monthly Fee</p>
          <p className="text-base font-semibold tabular-nums">
            {formatMonthlyFee(caller.monthlyFee)}
            <SolUsd sol={caller.monthlyFee} isInline />
          </p>
        </div>
        <div data-personal>
          <ProfileStatus {...props} />
        </div>
      </div>
      <section
        aria-label="After the fee"
        className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 md:col-span-2"
      >
        <div className="max-w-prose basis-72 grow">
          <AfterFee figures={caller.afterFee} className="md:text-xl" />
        </div>
        <div className="flex flex-wrap items-center gap-x-3 sm:gap-x-4">
          <StakeToggle className="[&>span]:max-sm:hidden" />
          <VerifyRecord callerId={caller.id} />
        </div>
      </section>
      <div className="min-w-0 md:col-span-2">
        <About bio={caller.bio} isOwner={caller.viewer.isOwner} />
      </div>
    </header>
  );
}

const EditBioDialog = lazyDialog(async () => (await import('./edit-bio-dialog.tsx')).EditBioDialog);

function About({ bio, isOwner }: { bio: string | null; isOwner: boolean }) {
  const queryClient = useQueryClient();
  const [isEditing, setIsEditing] = useState(false);
  const startEditing = async () => {
    // Drafts are stored per user. Wait for the account, which may still be loading.
    await queryClient.ensureQueryData(currentUserQuery).catch(() => null);
    setIsEditing(true);
  };
  const shown = collapseBlankLines((bio ?? '').replace(/\r\n?/g, '\n')).trim();
  const emptyText = isOwner ? 'Add a bio to tell others about yourself.' : 'No bio available.';
  return (
    <section className="flex items-start gap-3 text-sm">
      <h2 className="font-semibold">About</h2>
      <div className="min-w-0 flex-1">
        {shown ? <Bio bio={shown} /> : <p className="text-text-muted">{emptyText}</p>}
      </div>
      {isOwner && (
        <>
          <button
            type="button"
            aria-label="Edit bio"
            className={buttonClassName({ variant: 'ghost', size: 'icon', className: '-my-3' })}
            onClick={() => void startEditing()}
          >
            <Pencil size={16} />
          </button>
          <EditBioDialog bio={bio ?? ''} open={isEditing} onOpenChange={setIsEditing} />
        </>
      )}
    </section>
  );
}

/** The beginning of the first line, if possible up to the end of a word. */
const START = /^.{1,120}(?!\S)|^.{1,120}/u;

function Bio({ bio }: { bio: string }) {
  const [isWhole, setIsWhole] = useState(false);
  const start = START.exec(bio)?.[0] ?? '';
  const isCut = !isWhole && start !== bio;
  return (
    <p dir="auto" className="whitespace-pre-line [unicode-bidi:plaintext]">
      {isCut ? `${start}… ` : bio}
      {isCut && (
        <button type="button" className="link" onClick={() => setIsWhole(true)}>
          more
        </button>
      )}
    </p>
  );
}
