export interface Named {
  readonly firstName: string;
  readonly lastName: string;
  readonly twitterHandle: string;
}

type WithHandle = Pick<Named, 'twitterHandle'>;

/**
 * Stored instead of the handle from the time when X has given it to somebody else until the former holder signs in again.
 * No handle on X contains a hyphen.
 */
const LOST_HANDLE = /^user-(\d+)$/;

/** The numeric X id of somebody who lost the handle. Null for everybody else. */
export function xIdInsteadOfHandle({ twitterHandle }: WithHandle): string | null {
  return LOST_HANDLE.exec(twitterHandle)?.[1] ?? null;
}

/** '@ada'. Null for somebody who lost the handle. */
export function handleOf(person: WithHandle): string | null {
  return xIdInsteadOfHandle(person) === null ? `@${person.twitterHandle}` : null;
}

/** '@ada', or a text that says why there is no handle. */
export function shownHandle(person: WithHandle): string {
  return handleOf(person) ?? 'Handle changed on X';
}

/** 'Ada Byron', else '@ada'. */
export function fullName(person: Named): string {
  return `${person.firstName} ${person.lastName}`.trim() || (handleOf(person) ?? 'Unnamed');
}

/** 'Ada Byron (@ada)'. Only the name if the person lost the handle. */
export function withHandle(name: string, person: WithHandle): string {
  const handle = handleOf(person);
  return handle === null ? name : `${name} (${handle})`;
}

/** The last part of a profile's address: the handle, or the id of a caller who lost the handle. */
export function profileSlug(caller: WithHandle & { readonly id: string }): string {
  return handleOf(caller) === null ? caller.id : caller.twitterHandle;
}
