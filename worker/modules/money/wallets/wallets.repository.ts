import { and, desc, eq, gt, inArray, isNull, sql } from 'drizzle-orm';
import { MAX_OPEN_CHALLENGES, MAX_WALLETS } from '#schema/constants.ts';
import { callers } from '#schema/tables/callers.ts';
import { payoutChanges } from '#schema/tables/notices.ts';
import { walletChallenges, wallets } from '#schema/tables/wallets.ts';
import { runBatch, type Database } from '../../../shared/database.ts';
import { recordPayoutChange } from '../../../shared/payout-change.ts';
import { insertWhere } from '../../../shared/rows.ts';

/** Creating a challenge deletes at most this many expired ones. */
const PURGED_PER_CHALLENGE = 100;

export interface ProvenWallet {
  readonly id: string;
  readonly userId: string;
  readonly address: string;
  readonly nonce: string;
  readonly isFresh: boolean;
  readonly now: number;
}

interface RemovedWallet extends Pick<ProvenWallet, 'id' | 'userId' | 'now'> {
  readonly mayBePayout: boolean;
}

export type WalletsRepository = ReturnType<typeof createWalletsRepository>;

/** Saved wallets and open challenges. Times are unix ms. */
export function createWalletsRepository(db: Database) {
  return {
    ...createChallenges(db),
    ...createWalletReads(db),

    /**
     * Uses a challenge and marks its wallet as proven. If the caller has no payout wallet, the proven wallet
     * becomes the payout wallet. If the caller had a payout wallet before, this requires a recent sign-in.
     * @returns false if the challenge was used or has expired, or if the user has MAX_WALLETS already
     */
    async saveProven(wallet: ProvenWallet): Promise<boolean> {
      const { address, nonce, now } = wallet;
      const where = mayBecomePayout(wallet);
      const [saved = []] = await runBatch(db, [
        upsertProven(wallet),
        recordPayoutChange({ to: address, at: now, where }),
        db.update(callers).set({ payoutAddress: address, updatedAt: now }).where(where),
        db.delete(walletChallenges).where(eq(walletChallenges.nonce, nonce)),
      ]);
      return saved.length === 1;
    },

    /**
     * @returns false if the user has MAX_WALLETS already
     * @throws a UNIQUE violation if the wallet is saved already
     */
    async saveUnproven(wallet: typeof wallets.$inferInsert): Promise<boolean> {
      const saved = await db.all(sql`${insertWhere(wallets, wallet, hasRoom(wallet))} RETURNING id`);
      return saved.length === 1;
    },

    /**
     * Removes a wallet. Removes the payout wallet only if `mayBePayout` is true. Afterwards the caller has no
     * payout wallet.
     * @returns false if nothing was removed
     */
    async remove({ id, userId, mayBePayout, now }: RemovedWallet): Promise<boolean> {
      const address = sql`(SELECT address FROM wallets WHERE id = ${id} AND user_id = ${userId})`;
      const where = and(eq(callers.callerId, userId), sql`${callers.payoutAddress} = ${address}`);
      const endPayout = [
        recordPayoutChange({ to: null, at: now, where }),
        db.update(callers).set({ payoutAddress: null, updatedAt: now }).where(where),
      ];
      const isPayout = sql`EXISTS (
        SELECT 1 FROM callers WHERE caller_id = ${userId} AND payout_address = ${wallets.address})`;
      const remove = db
        .delete(wallets)
        .where(and(eq(wallets.id, id), eq(wallets.userId, userId), sql`NOT ${isPayout}`))
        .returning({ id: wallets.id });
      const removed = (await runBatch(db, mayBePayout ? [...endPayout, remove] : [remove])).at(-1);
      return removed?.length === 1;
    },
  };
}

function upsertProven({ id, userId, address, nonce, now }: ProvenWallet) {
  const row = { id, userId, address, provenAt: now, createdAt: now };
  const isChallenged = sql`EXISTS (
    SELECT 1 FROM wallet_challenges
    WHERE nonce = ${nonce} AND user_id = ${userId} AND address = ${address} AND expires_at > ${now})`;
  return sql`
    ${insertWhere(wallets, row, sql`${isChallenged} AND ${hasRoom(row)}`)}
    ON CONFLICT (user_id, address) DO UPDATE SET proven_at = excluded.proven_at
    RETURNING id`;
}

/** Proving a wallet that is already saved needs no room. */
function hasRoom({ userId, address }: Pick<ProvenWallet, 'userId' | 'address'>) {
  return sql`(
    (SELECT COUNT(*) FROM wallets WHERE user_id = ${userId}) < ${MAX_WALLETS}
    OR EXISTS (SELECT 1 FROM wallets WHERE user_id = ${userId} AND address = ${address}))`;
}

function mayBecomePayout({ userId, address, isFresh }: ProvenWallet) {
  const hadPayoutBefore = sql`EXISTS (
    SELECT 1 FROM payout_changes WHERE caller_id = ${userId} AND old_address IS NOT NULL)`;
  return and(
    eq(callers.callerId, userId),
    isNull(callers.payoutAddress),
    isFresh ? undefined : sql`NOT ${hadPayoutBefore}`,
    sql`EXISTS (
      SELECT 1 FROM wallets WHERE user_id = ${userId} AND address = ${address} AND proven_at IS NOT NULL)`,
  );
}

function createChallenges(db: Database) {
  return {
    async insertChallenge(challenge: typeof walletChallenges.$inferInsert, now: number): Promise<void> {
      const { nonce, userId, expiresAt } = walletChallenges;
      const replaced = db
        .select({ nonce })
        .from(walletChallenges)
        .where(eq(userId, challenge.userId))
        .orderBy(desc(expiresAt))
        .limit(MAX_OPEN_CHALLENGES)
        .offset(MAX_OPEN_CHALLENGES - 1);
      await runBatch(db, [
        sql`
          DELETE FROM wallet_challenges
          WHERE rowid IN (SELECT rowid FROM wallet_challenges WHERE expires_at <= ${now} LIMIT ${PURGED_PER_CHALLENGE})`,
        db.delete(walletChallenges).where(inArray(walletChallenges.nonce, replaced)),
        db.insert(walletChallenges).values(challenge),
      ]);
    },

    /** The newest open challenges of this user for the address. */
    async findChallenges({ userId, address, now }: Pick<ProvenWallet, 'userId' | 'address' | 'now'>) {
      const { nonce, message, expiresAt, ...owner } = walletChallenges;
      return db
        .select({ nonce, message })
        .from(walletChallenges)
        .where(and(eq(owner.userId, userId), eq(owner.address, address), gt(expiresAt, now)))
        .orderBy(desc(expiresAt))
        .limit(MAX_OPEN_CHALLENGES);
    },
  };
}

function createWalletReads(db: Database) {
  return {
    async list(userId: string) {
      return db
        .select({
          id: wallets.id,
          address: wallets.address,
          provenAt: wallets.provenAt,
          createdAt: wallets.createdAt,
          isPayout: sql`${wallets.address} IS ${callers.payoutAddress}`.mapWith(Boolean),
        })
        .from(wallets)
        .leftJoin(callers, eq(callers.callerId, wallets.userId))
        .where(eq(wallets.userId, userId))
        .orderBy(desc(wallets.createdAt), desc(wallets.id));
    },

    /** The payout wallet before and after each change, newest first. */
    async listPayoutChanges({ userId, since, limit }: { userId: string; since: number; limit: number }) {
      const { callerId, oldAddress: from, newAddress: to, at, seq } = payoutChanges;
      return db
        .select({ from, to, at })
        .from(payoutChanges)
        .where(and(eq(callerId, userId), gt(at, since)))
        .orderBy(desc(at), desc(seq))
        .limit(limit);
    },
  };
}
