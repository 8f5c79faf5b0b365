import { and, eq, isNotNull, sql } from 'drizzle-orm';
import { FREE_TO_PAID_GRACE_MS } from '#schema/constants.ts';
import { isFreeFee } from '#schema/rules/lamports.ts';
import { callers } from '#schema/tables/callers.ts';
import { payoutChanges } from '#schema/tables/notices.ts';
import { telegramLinks } from '#schema/tables/telegram-links.ts';
import { users } from '#schema/tables/users.ts';
import { wallets } from '#schema/tables/wallets.ts';
import { xTokens } from '#schema/tables/x-tokens.ts';
import { runBatch, type Database } from '../../shared/database.ts';

export type UsersRepository = ReturnType<typeof createUsersRepository>;

/** People and their terms as callers. Fees are lamports (0n is Free), times unix ms. */
export function createUsersRepository(db: Database) {
  return {
    async findUser(userId: string) {
      const [row] = await db
        .select({ user: users, caller: callers, telegram: telegramLinks, xScopes: xTokens.scopes })
        .from(users)
        .leftJoin(callers, eq(callers.callerId, users.id))
        .leftJoin(telegramLinks, eq(telegramLinks.userId, users.id))
        .leftJoin(xTokens, eq(xTokens.userId, users.id))
        .where(eq(users.id, userId));
      return row ?? null;
    },

    /** The newest proven wallet of a user: where a new caller is paid until they choose another. */
    async findProvenWallet(userId: string, address?: string): Promise<string | null> {
      const [wallet] = await db
        .select({ address: wallets.address })
        .from(wallets)
        .where(
          and(
            eq(wallets.userId, userId),
            isNotNull(wallets.provenAt),
            address === undefined ? undefined : eq(wallets.address, address),
          ),
        )
        .orderBy(sql`${wallets.provenAt} DESC`)
        .limit(1);
      return wallet?.address ?? null;
    },

    /** Whether a caller has ever been paid to another wallet than now, or to one and now to none. */
    async hadPayout(callerId: string): Promise<boolean> {
      const rows = await db
        .select({ seq: payoutChanges.seq })
        .from(payoutChanges)
        .where(and(eq(payoutChanges.callerId, callerId), isNotNull(payoutChanges.oldAddress)))
        .limit(1);
      return rows.length === 1;
    },

    /** @throws a UNIQUE violation when the user is a caller already. */
    async insertCaller(caller: typeof callers.$inferInsert): Promise<void> {
      await db.insert(callers).values(caller);
    },

    /**
     * Changes the fee, the payout wallet (`from` must still hold at that moment, and `to` be a proven one), or both. With the
     * fee changes what existing followers have: when a Free caller starts to charge, open grants end after the grace period;
     * when a Paid one becomes Free, running subscriptions continue as open grants where the paid time ends. Returns false, with
     * nothing changed, where the update found no such caller or wallet, or another payout wallet than `from`.
     */
    async updateTerms({
      callerId,
      feeLamports,
      payout,
      now,
    }: {
      callerId: string;
      feeLamports: bigint | undefined;
      payout: { from: string | null; to: string } | undefined;
      now: number;
    }): Promise<boolean> {
      const mayBePaid = payout && [
        sql`${callers.payoutAddress} IS ${payout.from}`,
        sql`EXISTS (SELECT 1 FROM wallets WHERE user_id = ${callerId} AND address = ${payout.to} AND proven_at IS NOT NULL)`,
      ];
      const update = db
        .update(callers)
        .set({
          updatedAt: now,
          ...(feeLamports === undefined ? {} : { feeLamports }),
          ...(payout && { payoutAddress: payout.to }),
        })
        .where(and(eq(callers.callerId, callerId), ...(mayBePaid ?? [])))
        .returning({ callerId: callers.callerId });
      if (feeLamports === undefined) return (await update).length === 1;
      const hasFee = sql`EXISTS (SELECT 1 FROM callers WHERE caller_id = ${callerId} AND fee_lamports = ${Number(feeLamports)})`;
      const graceEnd = now + FREE_TO_PAID_GRACE_MS;
      const followers = isFreeFee(feeLamports)
        ? [
            sql`
              INSERT INTO subscriptions (id, subscriber_id, caller_id, starts_at, ends_at, status, created_at)
              SELECT lower(hex(randomblob(16))), subscriber_id, caller_id, MAX(ends_at), NULL, 'active', ${now}
              FROM subscriptions WHERE caller_id = ${callerId} AND ${hasFee}
              GROUP BY subscriber_id, caller_id HAVING MAX(ends_at) > ${now} AND COUNT(ends_at) = COUNT(*)`,
          ]
        : [
            // Paid time that lasts longer than the grace needs none.
            sql`DELETE FROM subscriptions WHERE caller_id = ${callerId} AND ends_at IS NULL AND starts_at >= ${graceEnd} AND ${hasFee}`,
            sql`UPDATE subscriptions SET ends_at = ${graceEnd} WHERE caller_id = ${callerId} AND ends_at IS NULL AND ${hasFee}`,
          ];
      const [updated = []] = await runBatch(db, [update, ...followers]);
      return updated.length === 1;
    },

    /** `updated_at` stays: it says when X last named this handle, which decides whose a handle is that changed hands. */
    async updateBio({ userId, bio }: { userId: string; bio: string | null }): Promise<void> {
      await db.update(users).set({ bio }).where(eq(users.id, userId));
    },
  };
}
