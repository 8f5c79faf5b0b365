import { z } from 'zod';
import type { WayKind } from '#schema/constants/people.ts';

/** A way into the signed-in user's account. Times are ISO 8601. */
export interface Way {
  /** Identifies the way, but opens nothing. Sessions, keys, groups and channels have ids that differ from their kind. */
  readonly id: string;
  readonly kind: WayKind;
  /** The browser and system of a session, a key's name, a webhook's address, a Telegram username or the title of a group or channel. */
  readonly name: string | null;
  /** True for a key or a chat that may open, update and end calls. */
  readonly mayCall: boolean;
  readonly madeAt: string;
  /** The id of the session that made it. No way has this id if that session has ended. Null for sessions. */
  readonly madeBy: string | null;
  /** Recorded at most once an hour. Null if it was never used, or not in the last 30 days. */
  readonly lastUsedAt: string | null;
  /** True if the request came from this session. */
  readonly isCurrent: boolean;
  /** True if the user first signed in with this session's device within NEW_DEVICE_SHOWN_MS. */
  readonly isNew: boolean;
  /** True for a group or channel that was connected for CHAT_STAYS_MS. */
  readonly staysByDefault: boolean;
}

/** `withMade`: also ends the ways that the session has made. */
export const endWaySchema = z.strictObject({ withMade: z.stringbool().optional() });

/** `keep`: the ids of ways that stay. */
export const endOtherWaysSchema = z.strictObject({ keep: z.array(z.string().max(100)).max(200) });

export interface EndedWays {
  /** Such as 'Ended 2 sessions, 1 key, the webhook.' */
  readonly message: string;
}
