import { and, desc, eq, gt, inArray, isNotNull, isNull, lte, sql, type SQL } from 'drizzle-orm';
import { MAX_WALLETS } from '#schema/constants/money.ts';
import { callers } from '#schema/tables/callers.ts';
import { payoutChanges } from '#schema/tables/notices.ts';
import { walletChallenges, wallets } from '#schema/tables/wallets.ts';
import { runBatch, type Database } from '../../../shared/database.ts';
import { recordEach } from '../../log/facts.repository.ts';
import { insertWhere } from '../../../shared/rows.ts';
import { allOf, deleteFirst, hasNoRow, hasRow, is, valueIn } from '../../../shared/sql.ts';

/** One person's open wallet challenges. A further challenge replaces the oldest one. */
const MAX_OPEN_CHALLENGES = 5;

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
        ...recordPayoutChange({ to: address, at: now, where }),
        db.update(callers).set({ payoutAddress: address, updatedAt: now }).where(where),
        db.delete(walletChallenges).where(eq(walletChallenges.nonce, nonce)),
      ]);
      return saved.length === 1;
    },

    /** @returns false if the user has MAX_WALLETS already @throws a UNIQUE violation if the wallet is saved already */
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
      const address = valueIn<string>(wallets.address, eq(wallets.id, id), eq(wallets.userId, userId));
      const where = and(eq(callers.callerId, userId), eq(callers.payoutAddress, address));
      const endPayout = [
        ...recordPayoutChange({ to: null, at: now, where }),
        db.update(callers).set({ payoutAddress: null, updatedAt: now }).where(where),
      ];
      const isNotPayout = hasNoRow(
        callers,
        eq(callers.callerId, userId),
        eq(callers.payoutAddress, wallets.address),
      );
      const remove = db
        .delete(wallets)
        .where(and(eq(wallets.id, id), eq(wallets.userId, userId), isNotPayout))
        .returning({ id: wallets.id });
      const removed = (await runBatch(db, mayBePayout ? [...endPayout, remove] : [remove])).at(-1);
      return removed?.length === 1;
    },
  };
}

/** SQL condition: the user has saved this wallet and proven that they own it. */
export const hasProvenWallet = (userId: string, address: string) =>
  hasRow(wallets, eq(wallets.userId, userId), eq(wallets.address, address), isNotNull(wallets.provenAt));

interface PayoutChange {
  readonly to: string | null;
  readonly at: number;
  readonly where: SQL | undefined;
}

/** Records a change of the payout wallet. Run it in the batch that makes the change, before the change. */
export function recordPayoutChange({ to, at, where }: PayoutChange): SQL[] {
  const changing = sql`FROM callers WHERE ${where} AND payout_address IS NOT ${to}`;
  return [
    sql`
      INSERT INTO payout_changes (caller_id, old_address, new_address, at)
      SELECT caller_id, payout_address, ${to}, ${at} ${changing}`,
    recordEach(
      'payout_changed',
      sql`
        SELECT ${at} AS at, caller_id AS user_id,
          (SELECT MAX(seq) FROM payout_changes WHERE caller_id = callers.caller_id) AS subject
        ${changing}`,
    ),
  ];
}

function upsertProven({ id, userId, address, nonce, now }: ProvenWallet) {
  const row = { id, userId, address, provenAt: now, createdAt: now };
  const isChallenged = hasRow(
    walletChallenges,
    eq(walletChallenges.nonce, nonce),
    eq(walletChallenges.userId, userId),
    eq(walletChallenges.address, address),
    gt(walletChallenges.expiresAt, now),
  );
  return sql`
    ${insertWhere(wallets, row, allOf(isChallenged, hasRoom(row)))}
    ON CONFLICT (user_id, address) DO UPDATE SET proven_at = excluded.proven_at
    RETURNING id`;
}

/** Proving a wallet that is already saved needs no room. */
function hasRoom({ userId, address }: Pick<ProvenWallet, 'userId' | 'address'>) {
  return sql`(
    (SELECT COUNT(*) FROM wallets WHERE user_id = ${userId}) < ${MAX_WALLETS}
    OR ${hasRow(wallets, eq(wallets.userId, userId), eq(wallets.address, address))})`;
}

function mayBecomePayout({ userId, address, isFresh }: ProvenWallet) {
  const hadNoPayoutBefore = hasNoRow(
    payoutChanges,
    eq(payoutChanges.callerId, userId),
    isNotNull(payoutChanges.oldAddress),
  );
  return and(
    eq(callers.callerId, userId),
    isNull(callers.payoutAddress),
    isFresh ? undefined : hadNoPayoutBefore,
    hasProvenWallet(userId, address),
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
        deleteFirst(walletChallenges, lte(expiresAt, now), PURGED_PER_CHALLENGE),
        db.delete(walletChallenges).where(inArray(walletChallenges.nonce, replaced)),
        db.insert(walletChallenges).values(challenge),
      ]);
    },

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
          isPayout: is(wallets.address, callers.payoutAddress).mapWith(Boolean),
        })
        .from(wallets)
        .leftJoin(callers, eq(callers.callerId, wallets.userId))
        .where(eq(wallets.userId, userId))
        .orderBy(desc(wallets.createdAt), desc(wallets.id));
    },

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
