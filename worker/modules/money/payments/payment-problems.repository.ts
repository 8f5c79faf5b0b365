import { desc, eq, getTableColumns, isNull, sql } from 'drizzle-orm';
import { OPERATORS_PAGE_SIZE } from '#schema/constants/running.ts';
import { ledgerChecks, paymentOrphans } from '#schema/tables/payment-ledger.ts';
import { paymentBroadcasts, paymentIntents } from '#schema/tables/payments.ts';
import { users } from '#schema/tables/users.ts';
import { wallets } from '#schema/tables/wallets.ts';
import type { Database } from '../../../shared/database.ts';
import { valueIn } from '../../../shared/sql.ts';
import { isUnreadablePayment } from './pending-broadcasts.repository.ts';

const SHOWN_CHECKS = 7;

const ownerOfWallet = valueIn(wallets.userId, eq(wallets.address, paymentOrphans.payerAddress));

const errorOfCheck = sql<string | null>`(
  SELECT json_extract(cursor, '$.error') FROM job_leases
  WHERE job = 'payments.check' AND json_extract(cursor, '$.day') = ledger_checks.day)`;

type Repository = ReturnType<typeof createPaymentProblemsRepository>;
export type CheckRow = Awaited<ReturnType<Repository['listChecks']>>[number];
export type OrphanRow = Awaited<ReturnType<Repository['listOrphans']>>[number];
export type UnreadableRow = Awaited<ReturnType<Repository['listUnreadablePayments']>>[number];

/** Payments that an operator should look at. */
export function createPaymentProblemsRepository(db: Database) {
  return {
    /** Each with its person: that of the intent, or the one who has saved the wallet that paid. */
    listOrphans: () =>
      db
        .select({
          orphan: getTableColumns(paymentOrphans),
          intent: getTableColumns(paymentIntents),
          person: { id: users.id, handle: users.twitterHandle },
        })
        .from(paymentOrphans)
        .leftJoin(paymentIntents, eq(paymentIntents.id, paymentOrphans.intentId))
        .leftJoin(users, eq(users.id, sql`COALESCE(${paymentOrphans.userId}, ${ownerOfWallet})`))
        .where(isNull(paymentOrphans.resolvedAt))
        .orderBy(paymentOrphans.foundAt)
        .limit(OPERATORS_PAGE_SIZE),

    listUnreadablePayments: () =>
      db
        .select({
          signature: paymentBroadcasts.signature,
          intentId: paymentBroadcasts.intentId,
          since: paymentBroadcasts.createdAt,
          userId: paymentIntents.userId,
          handle: users.twitterHandle,
        })
        .from(paymentBroadcasts)
        .innerJoin(paymentIntents, eq(paymentIntents.id, paymentBroadcasts.intentId))
        .innerJoin(users, eq(users.id, paymentIntents.userId))
        .where(isUnreadablePayment)
        .orderBy(paymentBroadcasts.createdAt)
        .limit(OPERATORS_PAGE_SIZE),

    /** The newest checks. `error` is why the last attempt of an unfinished check failed. */
    listChecks: () =>
      db
        .select({ ...getTableColumns(ledgerChecks), error: errorOfCheck })
        .from(ledgerChecks)
        .orderBy(desc(ledgerChecks.day))
        .limit(SHOWN_CHECKS),
  };
}
