import { and, desc, eq, gt, isNull, lte, sql } from 'drizzle-orm';
import { callers } from '#schema/tables/callers.ts';
import { payoutChanges } from '#schema/tables/notices.ts';
import { walletChallenges, wallets } from '#schema/tables/wallets.ts';
import { runBatch, type Database } from '../../shared/database.ts';

const CHALLENGES_CHECKED = 5;

export type WalletsRepository = ReturnType<typeof createWalletsRepository>;

/** Saved wallets and the messages they were asked to sign. Times are unix ms. */
export function createWalletsRepository(db: Database) {
  return {
    /** Writes a challenge down and forgets the expired ones. */
    async insertChallenge(challenge: typeof walletChallenges.$inferInsert, now: number): Promise<void> {
      await runBatch(db, [
        db.delete(walletChallenges).where(lte(walletChallenges.expiresAt, now)),
        db.insert(walletChallenges).values(challenge),
      ]);
    },

    /** The newest messages that this user may still sign for the address: few, because a signature is checked against each. */
    async findChallenges({
      userId,
      address,
      now,
    }: {
      userId: string;
      address: string;
      now: number;
    }): Promise<{ nonce: string; message: string }[]> {
      return db
        .select({ nonce: walletChallenges.nonce, message: walletChallenges.message })
        .from(walletChallenges)
        .where(
          and(
            eq(walletChallenges.userId, userId),
            eq(walletChallenges.address, address),
            gt(walletChallenges.expiresAt, now),
          ),
        )
        .orderBy(desc(walletChallenges.expiresAt))
        .limit(CHALLENGES_CHECKED);
    },

    /**
     * Uses a challenge up and marks the wallet as proven; a caller without a payout wallet is paid to
     * it from now on. Returns false when somebody was faster with the same challenge.
     */
    async saveProven({
      id,
      userId,
      address,
      nonce,
      isFresh,
      now,
    }: {
      id: string;
      userId: string;
      address: string;
      nonce: string;
      isFresh: boolean;
      now: number;
    }): Promise<boolean> {
      const [saved = []] = await runBatch(db, [
        sql`
          INSERT INTO wallets (id, user_id, address, proven_at, created_at)
          SELECT ${id}, ${userId}, ${address}, ${now}, ${now}
          WHERE EXISTS (SELECT 1 FROM wallet_challenges WHERE nonce = ${nonce} AND user_id = ${userId} AND address = ${address} AND expires_at > ${now})
          ON CONFLICT (user_id, address) DO UPDATE SET proven_at = excluded.proven_at
          RETURNING id`,
        db
          .update(callers)
          .set({ payoutAddress: address, updatedAt: now })
          .where(
            and(
              eq(callers.callerId, userId),
              isNull(callers.payoutAddress),
              isFresh
                ? undefined
                : sql`NOT EXISTS (SELECT 1 FROM payout_changes WHERE caller_id = ${userId} AND old_address IS NOT NULL)`,
              sql`EXISTS (SELECT 1 FROM wallets WHERE user_id = ${userId} AND address = ${address} AND proven_at IS NOT NULL)`,
            ),
          ),
        db.delete(walletChallenges).where(eq(walletChallenges.nonce, nonce)),
      ]);
      return saved.length === 1;
    },

    /** @throws a UNIQUE violation when the wallet is saved already. */
    async saveUnproven(wallet: {
      id: string;
      userId: string;
      address: string;
      createdAt: number;
    }): Promise<void> {
      await db.insert(wallets).values(wallet);
    },

    async list(userId: string) {
      return db
        .select({
          id: wallets.id,
          address: wallets.address,
          provenAt: wallets.provenAt,
          createdAt: wallets.createdAt,
          isPayout: sql<number>`${wallets.address} IS ${callers.payoutAddress}`,
        })
        .from(wallets)
        .leftJoin(callers, eq(callers.callerId, wallets.userId))
        .where(eq(wallets.userId, userId))
        .orderBy(desc(wallets.createdAt), desc(wallets.id));
    },

    /**
     * Removes a wallet. The payout wallet goes only where `mayBePayout` says so, and its caller has none any more. Returns false,
     * with nothing changed, where there is no such wallet or the caller is paid to it.
     */
    async remove({
      id,
      userId,
      mayBePayout,
      now,
    }: {
      id: string;
      userId: string;
      mayBePayout: boolean;
      now: number;
    }): Promise<boolean> {
      const endPayout = db
        .update(callers)
        .set({ payoutAddress: null, updatedAt: now })
        .where(
          and(
            eq(callers.callerId, userId),
            sql`${callers.payoutAddress} = (SELECT address FROM wallets WHERE id = ${id} AND user_id = ${userId})`,
          ),
        );
      const isPaidTo = sql`EXISTS (SELECT 1 FROM callers WHERE caller_id = ${userId} AND payout_address = ${wallets.address})`;
      const remove = db
        .delete(wallets)
        .where(and(eq(wallets.id, id), eq(wallets.userId, userId), sql`NOT ${isPaidTo}`))
        .returning({ id: wallets.id });
      const removed = (await runBatch(db, mayBePayout ? [endPayout, remove] : [remove])).at(-1);
      return removed?.length === 1;
    },

    /** Where a caller was paid before and after each change since then, newest first. */
    async listPayoutChanges({
      userId,
      since,
      limit,
    }: {
      userId: string;
      since: number;
      limit: number;
    }): Promise<{ from: string | null; to: string | null; at: number }[]> {
      return db
        .select({ from: payoutChanges.oldAddress, to: payoutChanges.newAddress, at: payoutChanges.at })
        .from(payoutChanges)
        .where(and(eq(payoutChanges.callerId, userId), gt(payoutChanges.at, since)))
        .orderBy(desc(payoutChanges.at), desc(payoutChanges.seq))
        .limit(limit);
    },
  };
}
