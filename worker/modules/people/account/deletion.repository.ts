import { and, eq, gt, isNotNull, isNull, lte, sql } from 'drizzle-orm';
import { owedLamports } from '#schema/rules/money/owed.ts';
import { callers } from '#schema/tables/callers.ts';
import { users } from '#schema/tables/users.ts';
import { runBatch, type Database } from '../../../shared/database.ts';
import { build, hasRow, later } from '../../../shared/sql.ts';
import {
  deletionStatements,
  deletionPreview,
  lastOfSlice,
  longerPeriods,
  openCalls,
  requestStatements,
  sliceStatements,
  type Deletion,
  type ErasedSlice,
} from './deletion-statements.repository.ts';

/** The effects of a deletion. `at` is its day if it must wait for paid subscribers. */
export interface DeletionPreview {
  readonly at: number | null;
  readonly isRequested: boolean;
  readonly hasOpenCalls: boolean;
  readonly paidSubscribers: number;
  /** For the time after `at`. */
  readonly owedLamports: bigint;
}

interface PreviewRow {
  readonly requested_for: number | null;
  readonly at: number | null;
  readonly has_open_calls: 0 | 1;
  readonly paid_subscribers: number;
}

interface LongerPeriod {
  readonly caller_lamports: number;
  readonly paid_back: number;
  readonly starts_at: number;
  readonly ends_at: number;
}

export function createDeletionRepository(db: Database) {
  return {
    ...createPreview(db),

    async findHandle(userId: string): Promise<string | null> {
      const [row] = await db
        .select({ handle: users.twitterHandle })
        .from(users)
        .where(and(eq(users.id, userId), isNull(users.deletedAt)));
      return row?.handle ?? null;
    },

    async listOpenSymbols(userId: string): Promise<string[]> {
      const rows = await db.all<{ symbol: string }>(
        sql`SELECT token_symbol AS symbol ${openCalls(userId)} ORDER BY called_at DESC`,
      );
      return rows.map(({ symbol }) => symbol);
    },

    /** Fixes the time at which a caller with paid subscribers is deleted. @returns it (unix ms); null for others */
    async request(deletion: Deletion): Promise<number | null> {
      const results = await runBatch(db, requestStatements(deletion));
      const deletesAt = results.at(-1)?.[0]?.['deletes_at'];
      return typeof deletesAt === 'number' ? deletesAt : null;
    },

    /** Takes a request back. Returns false if the deletion is due. */
    async takeBack({ userId, now, record }: Deletion): Promise<boolean> {
      const isPending = hasRow(callers, eq(callers.callerId, userId), gt(callers.deletesAt, now));
      const results = await runBatch(db, [
        ...(record ? [record(isPending)] : []),
        build
          .update(callers)
          .set({ deletesAt: null, chargesSince: now, updatedAt: later(callers.updatedAt, now) })
          .where(and(eq(callers.callerId, userId), gt(callers.deletesAt, now))),
        build
          .select({ callerId: callers.callerId })
          .from(callers)
          .where(and(eq(callers.callerId, userId), isNotNull(callers.deletesAt))),
      ]);
      return results.at(-1)?.length === 0;
    },

    /** Lists callers whose deletion is due, the longest due first. */
    async listDue(now: number, limit: number): Promise<string[]> {
      const rows = await db
        .select({ userId: callers.callerId })
        .from(callers)
        .where(lte(callers.deletesAt, now))
        .orderBy(callers.deletesAt)
        .limit(limit);
      return rows.map(({ userId }) => userId);
    },

    /**
     * Marks the account as deleted and erases everything except the texts of calls, in one transaction. Does nothing
     * while a call is open. The database refuses later writes for this account.
     * @returns whether the account is deleted now
     */
    async markDeleted(deletion: Deletion): Promise<boolean> {
      const results = await runBatch(db, deletionStatements(deletion));
      return results.at(-1)?.length === 1;
    },

    /** The next slice of the oldest deletion with texts that aren't erased yet. */
    async findUnerased(): Promise<ErasedSlice | null> {
      const [next = null] = await db
        .select({ userId: users.id, from: users.erasedTo })
        .from(users)
        .where(and(isNotNull(users.deletedAt), isNull(users.erasedAt)))
        .orderBy(users.deletedAt)
        .limit(1);
      return next;
    },

    /**
     * Erases the texts of the next ERASED_CALLS_PER_SLICE calls, and their salts in the log. Calls of the same
     * millisecond are erased together. Also erases as many names from the log.
     */
    async eraseSlice(slice: ErasedSlice & Deletion): Promise<void> {
      const [{ called_at: last = null } = {}] = await db.all<{ called_at?: number }>(lastOfSlice(slice));
      await runBatch(db, sliceStatements({ ...slice, last }));
    },
  };
}

function createPreview(db: Database) {
  return {
    /** @returns null for a person who isn't a caller, whose account is deleted at once */
    async preview(deletion: Deletion): Promise<DeletionPreview | null> {
      const [row] = await db.all<PreviewRow>(deletionPreview(deletion));
      if (row === undefined) return null;
      const { at } = row;
      const longer = at === null ? [] : await db.all<LongerPeriod>(longerPeriods(deletion.userId, at));
      const owed = longer.map(({ caller_lamports, paid_back, starts_at, ends_at }) => {
        const period = { callerLamports: BigInt(caller_lamports), startsAt: starts_at, endsAt: ends_at };
        const share = owedLamports(period, [{ from: at ?? ends_at, until: null }]) - BigInt(paid_back);
        return share > 0n ? share : 0n;
      });
      return {
        at,
        isRequested: row.requested_for !== null,
        hasOpenCalls: row.has_open_calls === 1,
        paidSubscribers: row.paid_subscribers,
        owedLamports: owed.reduce((sum, lamports) => sum + lamports, 0n),
      };
    },
  };
}
