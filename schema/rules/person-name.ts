export interface Named {
  readonly firstName: string;
  readonly lastName: string;
  readonly twitterHandle: string;
}

export function fullName(person: Named): string {
  return `${person.firstName} ${person.lastName}`.trim() || `@${person.twitterHandle}`;
}
