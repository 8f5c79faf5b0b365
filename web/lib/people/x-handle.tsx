import type { ReactNode } from 'react';
import { isDeletedPerson, shownHandle, type HasName } from '#schema/rules/people/person-name.ts';
import { xProfileUrl } from '../text/links.ts';

export interface XHandleProps {
  person: Pick<HasName, 'twitterHandle'>;
  className: string;
  children?: ReactNode;
}

/** A link to a person's profile on X. For a deleted account, it's text without a link. */
export function XHandle({ person, className, children = shownHandle(person) }: XHandleProps) {
  if (isDeletedPerson(person)) return <span className={className}>{shownHandle(person)}</span>;
  return (
    <a
      href={xProfileUrl(person.twitterHandle)}
      target="_blank"
      rel="noopener noreferrer"
      className={className}
    >
      {children}
    </a>
  );
}
