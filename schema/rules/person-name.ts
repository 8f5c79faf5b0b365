export interface Named {
  readonly firstName: string;
  readonly lastName: string;
  readonly twitterHandle: string;
}

type WithHandle = Pick<Named, 'twitterHandle'>;

/**
 * Stored instead of a handle that X has given to somebody else, until the former holder signs in again. No
 * handle on X contains a hyphen.
 */
const LOST_HANDLE = /^user-(\d+)$/;

/** The numeric X id of a person who lost the handle. Null for everybody else. */
export function xIdInsteadOfHandle({ twitterHandle }: WithHandle): string | null {
  return LOST_HANDLE.exec(twitterHandle)?.[1] ?? null;
}

/** '@ada'. Null for somebody who lost the handle. */
export function handleOf(person: WithHandle): string | null {
  return xIdInsteadOfHandle(person) === null ? `@${person.twitterHandle}` : null;
}

/** The handle, such as '@ada'. For a person who lost the handle, a text that says so. */
export function shownHandle(person: WithHandle): string {
  return handleOf(person) ?? 'Handle changed on X';
}

/** The name, such as 'Ada Byron'. Without a name, the handle, such as '@ada'. */
export function fullName(person: Named): string {
  return `${person.firstName} ${person.lastName}`.trim() || (handleOf(person) ?? 'Unnamed');
}

/** 'Ada Byron (@ada)'. For a person who lost the handle, only the name. */
export function withHandle(name: string, person: WithHandle): string {
  const handle = handleOf(person);
  return handle === null ? name : `${name} (${handle})`;
}

/** The last part of a profile's path: the caller's handle. For a caller who lost the handle, their id. */
export function profileSlug(caller: WithHandle & { readonly id: string }): string {
  return handleOf(caller) === null ? caller.id : caller.twitterHandle;
}
