export interface HasName {
  readonly firstName: string;
  readonly lastName: string;
  readonly twitterHandle: string;
}

type WithHandle = Pick<HasName, 'twitterHandle'>;

/**
 * Stored with the X id instead of a handle that X has given to somebody else, until the former holder signs in
 * again. No handle on X contains a hyphen.
 */
export const LOST_HANDLE_PREFIX = 'user-';
const LOST_HANDLE = new RegExp(`^${LOST_HANDLE_PREFIX}(\\d+)$`);

/** Stored instead of the handle of a deleted account, before its id. */
const DELETED_PREFIX = 'deleted-';

export const deletedHandle = (userId: string) => `${DELETED_PREFIX}${userId}`;

export function isDeletedPerson({ twitterHandle }: WithHandle): boolean {
  return twitterHandle.startsWith(DELETED_PREFIX);
}

/** The numeric X id of a person who lost the handle. Null for everybody else. */
export function xIdFromPlaceholderHandle({ twitterHandle }: WithHandle): string | null {
  return LOST_HANDLE.exec(twitterHandle)?.[1] ?? null;
}

/** '@ada'. Null for somebody who lost the handle or deleted the account. */
export function handleOf(person: WithHandle): string | null {
  const hasHandle = xIdFromPlaceholderHandle(person) === null && !isDeletedPerson(person);
  return hasHandle ? `@${person.twitterHandle}` : null;
}

/** The handle, such as '@ada'. For a person who lost the handle, a text that says so. */
export function shownHandle(person: WithHandle): string {
  if (isDeletedPerson(person)) return 'Account deleted';
  return handleOf(person) ?? 'Handle changed on X';
}

/** The name, such as 'Ada Byron'. Without a name, the handle, such as '@ada'. */
export function fullName(person: HasName): string {
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
