import type { Named } from '#schema/rules/person-name.ts';

/** What stands in for a missing picture: the first name's letter, else the handle's, else `otherwise`. */
export function initialOf(person: Pick<Named, 'firstName' | 'twitterHandle'>, otherwise: string): string {
  return person.firstName || person.twitterHandle || otherwise;
}
