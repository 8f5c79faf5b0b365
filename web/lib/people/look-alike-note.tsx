import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { CallerProfile } from '#schema/contracts/callers.ts';
import { fullName, handleOf, withHandle } from '#schema/rules/people/person-name.ts';
import { callerQuery } from '#web/api/callers.queries.ts';
import { classNames } from '#web/ui/class-names.ts';

interface NoteProps {
  /**
   * Called when the viewer follows the link, so that the dialog around the note can close. If set, the
   * link replaces the dialog's history entry.
   */
  onLeave?: (() => void) | undefined;
  className?: string | undefined;
}

export interface LookAlikeNoteProps extends NoteProps {
  caller: Pick<CallerProfile, 'lookAlike'>;
}

/** Warns that a better-known caller has a similar name or handle. Renders nothing for all other callers. */
export function LookAlikeNote({ caller: { lookAlike }, onLeave, className }: LookAlikeNoteProps) {
  if (!lookAlike) return null;
  return (
    <p
      role="note"
      className={classNames('rounded-md border border-warn p-3 text-sm wrap-anywhere', className)}
    >
      <span className="font-medium text-warn">Not {handleOf(lookAlike) ?? 'the same caller'}.</span> A{' '}
      {lookAlike.isVerified ? 'verified caller' : 'caller with more subscribers'} has a similar name or
      handle:{' '}
      <Link
        to="/caller/$username"
        params={{ username: lookAlike.id }}
        replace={onLeave !== undefined}
        onClick={onLeave}
        className="font-medium underline decoration-line-strong underline-offset-4 hover:decoration-current"
      >
        <bdi>{withHandle(fullName(lookAlike), lookAlike)}</bdi>
      </Link>
    </p>
  );
}

/** The same as `LookAlikeNote`, for a caller whose profile isn't loaded on this page. */
export function LookAlikeNoteOf({ callerId, ...note }: NoteProps & { callerId: string }) {
  const { data: caller } = useQuery(callerQuery(callerId));
  return caller ? <LookAlikeNote caller={caller} {...note} /> : null;
}
