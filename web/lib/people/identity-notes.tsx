import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { CallerProfile, CallerSummary } from '#schema/contracts/callers.ts';
import { fullName, handleOf, withHandle } from '#schema/rules/people/person-name.ts';
import { callerQuery } from '#web/api/callers.queries.ts';
import { formatDay } from '#web/lib/text/dates.ts';
import { classNames } from '#web/ui/class-names.ts';
import { LocalTime } from '#web/ui/figures/local-time.tsx';

interface NoteProps {
  onLeave?: (() => void) | undefined;
  className?: string | undefined;
}

export interface IdentityNotesProps extends NoteProps {
  caller: Pick<CallerProfile, 'lookAlike' | 'formerHolder'>;
}

export function IdentityNotes({ caller: { lookAlike, formerHolder }, ...note }: IdentityNotesProps) {
  return (
    <>
      {formerHolder && (
        <Note {...note}>
          <span className="font-medium text-warn">
            Until <LocalTime at={formerHolder.until} format={formatDay} />, this handle belonged to
          </span>{' '}
          <CallerLink caller={formerHolder} {...note} />
        </Note>
      )}
      {lookAlike && (
        <Note {...note}>
          <span className="font-medium text-warn">Not {handleOf(lookAlike) ?? 'the same caller'}.</span> A{' '}
          {lookAlike.isVerified ? 'verified caller' : 'caller with more subscribers'} has a similar name or
          handle: <CallerLink caller={lookAlike} {...note} />
        </Note>
      )}
    </>
  );
}

function Note({ className, children }: NoteProps & { children: ReactNode }) {
  return (
    <p
      role="note"
      className={classNames('rounded-md border border-warn p-3 text-sm wrap-anywhere', className)}
    >
      {children}
    </p>
  );
}

function CallerLink({ caller, onLeave }: NoteProps & { caller: CallerSummary }) {
  return (
    <Link
      to="/caller/$username"
      params={{ username: caller.id }}
      replace={onLeave !== undefined}
      onClick={onLeave}
      className="font-medium link"
    >
      <bdi>{withHandle(fullName(caller), caller)}</bdi>
    </Link>
  );
}

/** The same as `IdentityNotes`, for a caller whose profile isn't loaded on this page. */
export function IdentityNotesOf({ callerId, ...note }: NoteProps & { callerId: string }) {
  const { data: caller } = useQuery(callerQuery(callerId));
  return caller ? <IdentityNotes caller={caller} {...note} /> : null;
}
