/** A session of the signed-in user. Times are ISO 8601. */
export interface UserSession {
  /** Identifies the session, but can't be used as its token. */
  readonly id: string;
  /** The browser and system, such as 'Chrome on Windows'. */
  readonly device: string;
  readonly signedInAt: string;
  /** Recorded at most once an hour, so the real last use may be up to an hour later. */
  readonly lastUsedAt: string;
  /** True if the request came from this session. */
  readonly isCurrent: boolean;
  /** True if the user first signed in with this device within NEW_DEVICE_SHOWN_MS. */
  readonly isNew: boolean;
}
