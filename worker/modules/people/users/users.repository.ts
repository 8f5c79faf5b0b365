import { and, desc, eq, isNotNull, sql, type SQL } from 'drizzle-orm';
import { fullName, type HasName } from '#schema/rules/people/person-name.ts';
import { callers } from '#schema/tables/callers.ts';
import { payoutChanges } from '#schema/tables/notices.ts';
import { pushDevices } from '#schema/tables/push-devices.ts';
import { telegramLinks } from '#schema/tables/telegram-links.ts';
import { users } from '#schema/tables/users.ts';
import { wallets } from '#schema/tables/wallets.ts';
import { xTokens } from '#schema/tables/x-tokens.ts';
import { afterFeeOrder } from '../../money/callers/after-fee.repository.ts';
import { copyUsersToCallers } from '../../money/callers/caller-copies.repository.ts';
import { runBatch, type Database } from '../../../shared/database.ts';
import { changeNextSlice, noteFeeChange } from '../../money/subscriptions/fee-changes.repository.ts';
import type { Statement } from '../../../shared/job-leases.ts';
import { nameEvent } from '../../log/log-entries.ts';
import { appendLogEntry } from '../../log/log-entries.repository.ts';
import { hasProvenWallet, recordPayoutChange } from '../../money/wallets/wallets.repository.ts';
import { insertWhere } from '../../../shared/rows.ts';
import { addSilentDays } from '../../money/subscriptions/silent-days.repository.ts';
import { allOf, anyOf, build, hasNoRow, hasRow, is } from '../../../shared/sql.ts';

const hasPush = hasRow(pushDevices, eq(pushDevices.userId, users.id)).mapWith(Boolean);

/** Fields that are `undefined` stay unchanged. */
interface TermsChange {
  readonly callerId: string;
  readonly feeLamports: bigint | undefined;
  readonly sellsWeek?: boolean | undefined;
  readonly payout: { readonly from: string | null; readonly to: string } | undefined;
  readonly now: number;
}

type NewCaller = typeof callers.$inferInsert & {
  readonly feeLamports: bigint;
  readonly payoutAddress: string | null;
};

type NamedUser = HasName & Pick<typeof users.$inferSelect, 'xUserId'>;

/** Users and their terms as callers. Fees are lamports (0n means Free), times unix ms. */
export function createUsersRepository(db: Database) {
  return {
    /** `caller` is null for everybody who isn't a caller now. */
    async findUser(userId: string) {
      const [row] = await db
        .select({ user: users, caller: callers, telegram: telegramLinks, xScopes: xTokens.scopes, hasPush })
        .from(users)
        .leftJoin(callers, eq(callers.callerId, users.id))
        .leftJoin(telegramLinks, eq(telegramLinks.userId, users.id))
        .leftJoin(xTokens, eq(xTokens.userId, users.id))
        .where(eq(users.id, userId));
      if (!row) return null;
      const wasCaller = row.user.leftAt !== null && row.caller !== null;
      return { ...row, caller: wasCaller ? null : row.caller, wasCaller };
    },

    /** The user's newest proven wallet, or `address` if it is proven. Else null. */
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
        .orderBy(desc(wallets.provenAt))
        .limit(1);
      return wallet?.address ?? null;
    },

    async hadPayout(callerId: string): Promise<boolean> {
      const rows = await db
        .select({ seq: payoutChanges.seq })
        .from(payoutChanges)
        .where(and(eq(payoutChanges.callerId, callerId), isNotNull(payoutChanges.oldAddress)))
        .limit(1);
      return rows.length === 1;
    },

    /**
     * Makes a user a caller under the given name, and logs the name publicly. A former caller continues with the
     * same record. @returns false without any change if the user's name or handle has changed meanwhile, the
     * account was deleted, or the user has become a caller
     */
    async insertCaller(caller: NewCaller, named: NamedUser): Promise<boolean> {
      const [logged = []] = await runBatch(db, callerStatements(caller, named));
      return logged.length === 1;
    },

    /**
     * Changes the fee, the lengths on sale or the payout wallet. A change between Free and Paid also changes the
     * followers' subscriptions, those of the first FOLLOWERS_PER_SLICE at once.
     * @returns false without any change unless the payout wallet is still `from` and `to` is proven
     */
    async updateTerms(change: TermsChange): Promise<boolean> {
      const { callerId, feeLamports, sellsWeek, payout, now } = change;
      const where = and(eq(callers.callerId, callerId), ...payoutGuards(change));
      const update = db
        .update(callers)
        .set({
          updatedAt: now,
          ...(feeLamports === undefined
            ? {}
            : {
                feeLamports,
                afterFee: afterFeeOrder({ feeLamports, now }),
                chargesSince: sql`iif(fee_lamports = 0, ${now}, charges_since)`,
              }),
          ...(sellsWeek !== undefined && { sellsWeek }),
          ...(payout && { payoutAddress: payout.to }),
        })
        .where(where)
        .returning({ callerId: callers.callerId });
      const before = [
        ...(feeLamports === undefined
          ? []
          : [
              addSilentDays(sql`(${callerId})`, now),
              ...noteFeeChange({ callerId, feeLamports, where, now }),
            ]),
        ...(payout ? recordPayoutChange({ to: payout.to, at: now, where }) : []),
      ];
      // A Free caller's chats have fewer rules, so they are checked again.
      const recheck = sql`UPDATE telegram_chats SET checked_at = 0 WHERE caller_id = ${callerId}`;
      const follow = feeLamports === undefined ? [] : [recheck, ...changeNextSlice(callerId, now)];
      const results = await runBatch(db, [...before, update, ...follow]);
      return results[before.length]?.length === 1;
    },

    /** Leaves `updated_at`, the time when X last confirmed the handle. This time decides who owns a reused handle. */
    async updateBio({ userId, bio }: { userId: string; bio: string | null }): Promise<void> {
      await db.update(users).set({ bio }).where(eq(users.id, userId));
    },
  };
}

/** The first statement returns a row if the user becomes a caller. */
function callerStatements(caller: NewCaller, named: NamedUser): Statement[] {
  const { callerId, feeLamports, payoutAddress, createdAt: at } = caller;
  const { twitterHandle: handle, firstName, lastName, xUserId: xId } = named;
  const isCurrent = hasRow(
    users,
    eq(users.liveId, callerId),
    eq(users.twitterHandle, handle),
    eq(users.firstName, firstName),
    eq(users.lastName, lastName),
  );
  const isOwn = eq(callers.callerId, callerId);
  const isNew = allOf(isCurrent, hasNoRow(callers, isOwn));
  const isBack = allOf(isCurrent, hasRow(users, eq(users.id, callerId), isNotNull(users.leftAt)));
  const name = nameEvent({ callerId, handle, name: fullName(named), xId, at });
  const where = and(isOwn, isBack);
  return [
    appendLogEntry(name, anyOf(isNew, allOf(isBack, hasRow(callers, isOwn)))),
    ...recordPayoutChange({ to: payoutAddress, at, where }),
    ...noteFeeChange({ callerId, feeLamports, where, now: at }),
    build
      .update(callers)
      .set({
        ...caller,
        afterFee: afterFeeOrder({ feeLamports, now: at }),
        chargesSince: at,
        absences: withAbsence(callerId, at),
      })
      .where(where),
    insertWhere(callers, caller, isNew),
    build
      .update(users)
      .set({ leftAt: null })
      .where(and(eq(users.id, callerId), isBack)),
    ...changeNextSlice(callerId, at),
    copyUsersToCallers([callerId]),
  ];
}

const withAbsence = (callerId: string, now: number) => sql`
  json_insert(absences, '$[#]', json_object(
    'from', (SELECT left_at FROM users WHERE id = ${callerId}),
    'until', ${now}))`;

function payoutGuards({ callerId, payout }: TermsChange): SQL[] {
  if (payout === undefined) return [];
  return [is(callers.payoutAddress, payout.from), hasProvenWallet(callerId, payout.to)];
}
