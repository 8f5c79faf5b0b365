export interface HasName {
  readonly firstName: string;
  readonly lastName: string;
  readonly twitterHandle: string;
}

type WithHandle = Pick<HasName, 'twitterHandle'>;

/**
 * Prefix of the placeholder for a lost handle, before the X id. If X gives a handle to another account, its
 * former holder has the placeholder until the next sign-in. No handle on X contains a hyphen.
 */
export const LOST_HANDLE_PREFIX = 'user-';
const LOST_HANDLE = new RegExp(`^${LOST_HANDLE_PREFIX}(\\d+)$`);

/** Prefix of the placeholder for a deleted account's handle, before the account's id. */
export const DELETED_PREFIX = 'deleted-';
export const DELETED_CALLER = 'Deleted caller';
export const DELETED_ACCOUNT = 'Deleted account';

export const deletedHandle = (userId: string) => `${DELETED_PREFIX}${userId}`;

export function isDeletedPerson({ twitterHandle }: WithHandle): boolean {
  return twitterHandle.startsWith(DELETED_PREFIX);
}

/** Returns the numeric X id of a person who lost the handle. Null for all other people. */
export function xIdFromPlaceholderHandle({ twitterHandle }: WithHandle): string | null {
  return LOST_HANDLE.exec(twitterHandle)?.[1] ?? null;
}

/** The handle with its @, such as '@ada'. Null if the person lost the handle or deleted the account. */
export function handleOf(person: WithHandle): string | null {
  const hasHandle = xIdFromPlaceholderHandle(person) === null && !isDeletedPerson(person);
  return hasHandle ? `@${person.twitterHandle}` : null;
}

/** The handle, such as '@ada', or a text that says why there is none. */
export function shownHandle(person: WithHandle): string {
  if (isDeletedPerson(person)) return 'Account deleted';
  return handleOf(person) ?? 'Handle changed on X';
}

/** The name, such as 'Ada Byron', or the handle if there is no name. */
export function fullName(person: HasName): string {
  return `${person.firstName} ${person.lastName}`.trim() || (handleOf(person) ?? 'Unnamed');
}

export function withHandle(name: string, person: WithHandle): string {
  const handle = handleOf(person);
  return handle === null ? name : `${name} (${handle})`;
}

/** The last part of a profile's path: the caller's handle, or the id of a caller without a handle. */
export function profileSlug(caller: WithHandle & { readonly id: string }): string {
  return handleOf(caller) === null ? caller.id : caller.twitterHandle;
}
