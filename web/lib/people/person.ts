import { handleOf, type HasName } from '#schema/rules/people/person-name.ts';

/** The text whose first letter stands in for a missing image. */
export function initialOf(person: Pick<HasName, 'firstName' | 'twitterHandle'>, otherwise: string): string {
  const handle = handleOf(person) === null ? '' : person.twitterHandle;
  return person.firstName || handle || otherwise;
}
