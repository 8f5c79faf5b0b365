interface Named {
  readonly firstName: string;
  readonly lastName: string;
  readonly twitterHandle: string;
}

/** A person's full name, or the handle where there is none. */
export function fullName(person: Named): string {
  return `${person.firstName} ${person.lastName}`.trim() || `@${person.twitterHandle}`;
}

/** What stands in for a missing picture: the first name's letter, else the handle's, else `otherwise`. */
export function initialOf(person: Pick<Named, 'firstName' | 'twitterHandle'>, otherwise: string): string {
  return person.firstName || person.twitterHandle || otherwise;
}
