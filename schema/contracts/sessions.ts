export interface UserSession {
  /** Identifies the session, but can't be used as its token. */
  readonly id: string;
  readonly device: string;
  readonly signedInAt: string;
  /** Recorded at most once an hour, so the real last use may be up to an hour later. */
  readonly lastUsedAt: string;
  readonly isCurrent: boolean;
  readonly isNew: boolean;
}
