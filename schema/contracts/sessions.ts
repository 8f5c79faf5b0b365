/** A session of the signed-in user. Times are ISO 8601. */
export interface UserSession {
  /** Identifies the session, but can't be used as its token. */
  readonly id: string;
  /** Such as 'Chrome on Windows'. */
  readonly device: string;
  readonly signedInAt: string;
  /** Written at most once an hour, so it may be an hour too early. */
  readonly lastUsedAt: string;
  /** True if the request came from this session. */
  readonly isCurrent: boolean;
  /** True if the user signed in with this device for the first time within the last days. */
  readonly isNew: boolean;
}
