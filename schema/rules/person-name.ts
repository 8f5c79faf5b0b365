export interface Named {
  readonly firstName: string;
  readonly lastName: string;
  readonly twitterHandle: string;
}

/** A person's full name, or the handle where there is none. */
export function fullName(person: Named): string {
  return `${person.firstName} ${person.lastName}`.trim() || `@${person.twitterHandle}`;
}
