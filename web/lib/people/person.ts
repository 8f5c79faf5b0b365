import { handleOf, type HasName } from '#schema/rules/people/person-name.ts';

export function avatarNameOf(
  person: Pick<HasName, 'firstName' | 'twitterHandle'>,
  otherwise: string,
): string {
  const handle = handleOf(person) === null ? '' : person.twitterHandle;
  return person.firstName || handle || otherwise;
}
