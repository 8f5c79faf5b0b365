import { and, eq, isNotNull, isNull } from 'drizzle-orm';
import { callers } from '#schema/tables/callers.ts';
import { calls } from '#schema/tables/calls.ts';
import { users } from '#schema/tables/users.ts';
import { isOfVisibleCaller } from '../../money/callers/caller-standing.ts';
import type { Database } from '../../../shared/database.ts';

export function createImagesRepository(db: Database) {
  return {
    /** Returns the avatar's URL; null for people who aren't callers, because their avatars aren't public. */
    async findCallerAvatar(callerId: string): Promise<string | null> {
      const [row] = await db
        .select({ url: users.profileImageUrl })
        .from(callers)
        .innerJoin(users, eq(users.id, callers.callerId))
        .where(and(eq(callers.callerId, callerId), eq(users.isHidden, false), isNull(users.leftAt)));
      return row?.url ?? null;
    },

    async findOwnAvatar(userId: string): Promise<string | null> {
      const [row] = await db.select({ url: users.profileImageUrl }).from(users).where(eq(users.id, userId));
      return row?.url ?? null;
    },

    async findEndedIcon(callId: string): Promise<string | null> {
      const [row] = await db
        .select({ url: calls.logoUri })
        .from(calls)
        .where(and(eq(calls.id, callId), isNotNull(calls.endedAt), isOfVisibleCaller));
      return row?.url ?? null;
    },

    /** Finds a call's icon. Check that the viewer may see this caller's active calls before using the URL. */
    async findIcon(callId: string): Promise<{ callerId: string; url: string | null } | null> {
      const [row] = await db
        .select({ callerId: calls.callerId, url: calls.logoUri })
        .from(calls)
        .where(eq(calls.id, callId));
      return row ?? null;
    },
  };
}
