import { and, desc, eq, gt, inArray, lt, max, ne, not, or, sql, sum, type SQL } from 'drizzle-orm';
import {
  CHAIN_CLOCK_SKEW_MS,
  INTENT_LIFETIME_MS,
  MAX_AHEAD_MS,
  MAX_LANDING_MS,
  MAX_UNUSED_INTENTS,
  PENDING_PAYMENT_MS,
  UNUSED_INTENTS_WINDOW_MS,
} from '#schema/constants/money.ts';
import { DAY_MS, MINUTE_MS } from '#schema/constants/time.ts';
import { paymentBroadcasts, paymentIntents, payments } from '#schema/tables/payments.ts';
import { runBatch, type Database } from '../../../shared/database.ts';
import { isNotPaused } from '../pauses/pauses.repository.ts';
import { insertWhere, valuesOf } from '../../../shared/rows.ts';
import { allOf, build, hasNoRow, hasRow } from '../../../shared/sql.ts';
import { isUnpaid } from './paid-periods.repository.ts';
import { isNothingPending, isUnreadablePayment, selectPending } from './pending-broadcasts.repository.ts';

export type IntentRow = typeof paymentIntents.$inferSelect;

/** The platform walk reads at most this many transactions of an intent first, because anybody may copy its memo. */
const MAX_PRIORITY_READS = 5;
/** For this long after an intent's end, the cron searches for its payment: until the last one has landed, and ten minutes more. */
const SEARCHED_AFTER_MS = 15 * MINUTE_MS;

/** An account may be an intent's reference. */
interface IntentNames {
  readonly ids?: readonly string[];
  readonly accounts?: readonly string[];
}

export type IntentsRepository = ReturnType<typeof createIntentsRepository>;

export function createIntentsRepository(db: Database) {
  return {
    /**
     * Stores an intent. If this user already has an unused intent for this caller with the same terms, and it
     * ends after `reusableUntil`, returns that intent instead.
     * @returns `null` while another transaction of this user to this caller is pending, after too many unused intents,
     * and while payments are paused
     */
    async openIntent(
      intent: IntentRow,
      { reusableUntil, replaces }: { reusableUntil: number; replaces: string | undefined },
    ): Promise<IntentRow | null> {
      const isReusable = isReusableFor(intent, reusableUntil);
      const canPay = isNothingPending(intent);
      const mayInsert = allOf(
        hasNoRow(paymentIntents, isReusable),
        canPay,
        hasFewUnused(intent),
        sql`${bookedUntil(intent, replaces)} + ${intent.days * DAY_MS} <= ${intent.createdAt + MAX_AHEAD_MS}`,
        isNotPaused('payments'),
      );
      const [, ids = []] = await runBatch(db, [
        insertWhere(paymentIntents, { ...intent, searchTurn: nextTurn(intent.userId) }, mayInsert),
        db.select({ id: paymentIntents.id }).from(paymentIntents).where(and(isReusable, canPay)).limit(1),
      ]);
      const [opened] = await db
        .select()
        .from(paymentIntents)
        .where(eq(paymentIntents.id, String(ids[0]?.['id'] ?? '')));
      return opened ?? null;
    },

    /** The end of the pair's access if all open intents were paid, except `replaces` and those with the intent's terms. */
    async bookedUntil(intent: IntentRow, replaces: string | undefined): Promise<number> {
      const [row] = await db.all<{ until: number }>(sql`SELECT ${bookedUntil(intent, replaces)} AS until`);
      return row?.until ?? intent.createdAt;
    },

    listUnsearched: createListUnsearched(db),
    takeTurns: createTakeTurns(db),

    async findPending(pair: Pick<IntentRow, 'userId' | 'callerId'>): Promise<string | null> {
      const [row] = await db.all<{ intent_id: string }>(sql`${selectPending(pair)} LIMIT 1`);
      return row?.intent_id ?? null;
    },

    /** Earliest time for another intent after too many unused ones (unix ms); null if one may be opened now. */
    async nextOpenAt({ userId, now }: { userId: string; now: number }): Promise<number | null> {
      const [row] = await db.all<{ created_at: number }>(
        unusedIntents({ userId, createdAt: now })
          .orderBy(desc(paymentIntents.createdAt))
          .limit(1)
          .offset(MAX_UNUSED_INTENTS - 1),
      );
      return row === undefined ? null : row.created_at + UNUSED_INTENTS_WINDOW_MS;
    },

    async find({ ids = [], accounts = [] }: IntentNames): Promise<IntentRow[]> {
      const { id, reference } = paymentIntents;
      return db
        .select()
        .from(paymentIntents)
        .where(or(inArray(id, valuesOf(ids)), inArray(reference, valuesOf(accounts))));
    },

    /**
     * Returns how many transactions of each intent the platform walk may still read with priority. Leaves out intents
     * without priority: paid ones, and those that ended over `PENDING_PAYMENT_MS` ago.
     */
    async listReadsLeft(intentIds: readonly string[], now: number): Promise<ReadonlyMap<string, number>> {
      const { id, expiresAt, priorityReads } = paymentIntents;
      const rows = await db
        .select({ id, priorityReads })
        .from(paymentIntents)
        .where(
          and(
            inArray(id, valuesOf(intentIds)),
            gt(expiresAt, now - PENDING_PAYMENT_MS),
            lt(priorityReads, MAX_PRIORITY_READS),
            hasNoRow(payments, eq(payments.intentId, id)),
          ),
        );
      return new Map(rows.map((row) => [row.id, MAX_PRIORITY_READS - row.priorityReads]));
    },

    /** Counts a read for each of these ids; an id may occur several times. */
    countReadsStatement(intentIds: readonly string[]): SQL {
      const ids = JSON.stringify(intentIds);
      return sql`
        UPDATE payment_intents SET
          priority_reads = priority_reads + (SELECT COUNT(*) FROM json_each(${ids}) WHERE value = payment_intents.id)
        WHERE id IN (SELECT value FROM json_each(${ids}))`;
    },
  };
}

/**
 * The pair's unpaid intents with an unreadable payment, and those for which a wallet's payment may have landed since the
 * newest one was opened, the newest first. Before that, all others were searched for.
 */
const createListUnsearched =
  (db: Database) =>
  ({ userId, callerId }: Pick<IntentRow, 'userId' | 'callerId'>) => {
    const isPairs = and(eq(paymentIntents.userId, userId), eq(paymentIntents.callerId, callerId));
    const newest = db
      .select({ at: max(paymentIntents.createdAt) })
      .from(paymentIntents)
      .where(isPairs);
    return db
      .select()
      .from(paymentIntents)
      .where(
        and(
          isPairs,
          // A payment that a fork has removed may land again.
          isUnpaid(paymentIntents.id),
          or(
            sql`${paymentIntents.expiresAt} > (${newest}) - ${MAX_LANDING_MS + CHAIN_CLOCK_SKEW_MS}`,
            hasRow(paymentBroadcasts, eq(paymentBroadcasts.intentId, paymentIntents.id), isUnreadablePayment),
          ),
        ),
      )
      .orderBy(desc(paymentIntents.createdAt));
  };

/** The turn after the person's last one, but not before the turn that is searched now. */
const nextTurn = (userId: SQL | string): SQL => sql`
  MAX(
    COALESCE((SELECT MIN(search_turn) FROM payment_intents WHERE search_turn IS NOT NULL), 0),
    COALESCE(
      (SELECT MAX(i.search_turn) + 1 FROM payment_intents i WHERE i.user_id = ${userId} AND i.search_turn IS NOT NULL),
      0))`;

/**
 * Takes the unpaid intents of the lowest turns, the newest first, and gives each its person's next turn. Paid intents, and
 * those that ended over `SEARCHED_AFTER_MS` ago, have no further turn.
 */
const createTakeTurns =
  (db: Database) =>
  async (now: number, limit: number): Promise<IntentRow[]> => {
    const { id, userId, expiresAt } = paymentIntents;
    const hasNext = allOf(isUnpaid(id), gt(expiresAt, now - SEARCHED_AFTER_MS));
    const rows = await db
      .update(paymentIntents)
      .set({ searchTurn: sql`CASE WHEN ${hasNext} THEN ${nextTurn(sql`${userId}`)} END` })
      .where(
        sql`${id} IN (
          SELECT id FROM payment_intents
          WHERE search_turn IS NOT NULL
          ORDER BY search_turn, created_at DESC
          LIMIT ${limit})`,
      )
      .returning();
    return rows.filter(({ searchTurn }) => searchTurn !== null);
  };

const isUnused = allOf(
  hasNoRow(paymentBroadcasts, eq(paymentBroadcasts.intentId, paymentIntents.id)),
  hasNoRow(payments, eq(payments.intentId, paymentIntents.id)),
);

/** Selects this user's intents of the last hour that have no broadcast and no payment. */
const unusedIntents = ({ userId, createdAt }: Pick<IntentRow, 'userId' | 'createdAt'>) =>
  build
    .select({ createdAt: paymentIntents.createdAt })
    .from(paymentIntents)
    .where(
      and(
        eq(paymentIntents.userId, userId),
        gt(paymentIntents.createdAt, createdAt - UNUSED_INTENTS_WINDOW_MS),
        isUnused,
      ),
    );

function bookedUntil(intent: IntentRow, replaces = ''): SQL {
  const { userId, callerId, createdAt: now } = intent;
  const { id, days, createdAt } = paymentIntents;
  const open = build
    .select({ days: sum(days) })
    .from(paymentIntents)
    .where(
      and(
        eq(paymentIntents.userId, userId),
        eq(paymentIntents.callerId, callerId),
        gt(createdAt, now - INTENT_LIFETIME_MS),
        ne(id, replaces),
        isUnpaid(id),
        not(allOf(hasSameTerms(intent), isUnused)),
      ),
    );
  return sql`
    MAX(${now}, COALESCE((
      SELECT MAX(ends_at) FROM periods WHERE subscriber_id = ${userId} AND caller_id = ${callerId}), 0))
    + ${DAY_MS} * COALESCE((${open}), 0)`;
}

function hasFewUnused(intent: IntentRow) {
  const unused = unusedIntents(intent).limit(MAX_UNUSED_INTENTS);
  return sql`(SELECT COUNT(*) FROM ${unused}) < ${MAX_UNUSED_INTENTS}`;
}

const hasSameTerms = (intent: IntentRow) =>
  allOf(
    eq(paymentIntents.userId, intent.userId),
    eq(paymentIntents.callerId, intent.callerId),
    eq(paymentIntents.callerAddress, intent.callerAddress),
    eq(paymentIntents.platformAddress, intent.platformAddress),
    eq(paymentIntents.feeLamports, intent.feeLamports),
    eq(paymentIntents.days, intent.days),
  );

const isReusableFor = (intent: IntentRow, reusableUntil: number) =>
  allOf(hasSameTerms(intent), gt(paymentIntents.expiresAt, reusableUntil), isUnused);
