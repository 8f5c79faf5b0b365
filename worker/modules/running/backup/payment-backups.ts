import { getTableColumns, sql, type InferInsertModel } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { paymentBroadcasts, paymentIntents } from '#schema/tables/payments.ts';
import type { Base } from '../../../app/base.ts';
import { runBatch } from '../../../shared/database.ts';
import { describeError } from '../../../shared/describe-error.ts';
import { dayOf, PAYMENTS, type PaymentFile, type Row } from './backup-files.ts';

export type People = Required<Pick<PaymentFile, 'users' | 'callers'>>;
type Intent = typeof paymentIntents.$inferSelect;
type Broadcast = InferInsertModel<typeof paymentBroadcasts>;

interface PaymentBackupsOptions extends Pick<Base, 'db' | 'lifetime'> {
  readonly bucket: Pick<R2Bucket, 'put'>;
}

export type PaymentBackups = ReturnType<typeof createPaymentBackups>;

/**
 * Copies each payment's terms to R2 at once, because a payment that lands after the last export could not be matched
 * without them. A failure is only logged, and the payment continues.
 */
export function createPaymentBackups({ db, bucket, lifetime }: PaymentBackupsOptions) {
  const write = (intent: Intent, name: string, file: PaymentFile) => {
    const key = `${PAYMENTS}${dayOf(intent.createdAt)}/${intent.reference}/${name}.json`;
    const writing = bucket.put(key, JSON.stringify(file)).catch((error: unknown) => {
      console.error(JSON.stringify({ event: 'payment.not_backed_up', error: describeError(error) }));
    });
    lifetime.keepAlive(writing);
  };

  return {
    /** Reads the rows of subscriber and caller, who may be newer than the last export. */
    async readPeople({ userId, callerId }: { userId: string; callerId: string }): Promise<People> {
      const [users = [], callers = []] = await runBatch(db, [
        sql`SELECT * FROM users WHERE id IN (${userId}, ${callerId})`,
        sql`SELECT * FROM callers WHERE caller_id = ${callerId}`,
      ]);
      return { users, callers };
    },

    /** Doesn't delay the request. */
    saveIntent(intent: Intent, people: People): void {
      write(intent, 'intent', { ...people, payment_intents: [toRow(paymentIntents, intent)] });
    },

    /** Doesn't delay the request. A restore needs it if the transaction lands after the intent's end. */
    saveBroadcast(intent: Intent, broadcast: Broadcast): void {
      write(intent, `sent-${broadcast.signature}`, {
        payment_intents: [toRow(paymentIntents, intent)],
        payment_broadcasts: [toRow(paymentBroadcasts, broadcast)],
      });
    },
  };
}

/** Converts values to a row as stored in the database, without columns that have no value. */
function toRow(table: SQLiteTable, values: Readonly<Record<string, unknown>>): Row {
  return Object.fromEntries(
    Object.entries(getTableColumns(table)).flatMap(([name, column]) => {
      const value = values[name];
      return value === undefined
        ? []
        : [[column.name, value === null ? null : column.mapToDriverValue(value)]];
    }),
  );
}
