import { getTableColumns, type InferInsertModel } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { paymentBroadcasts, paymentIntents } from '#schema/tables/payments.ts';
import { toDay } from '#schema/rules/text/utc-day.ts';
import type { Base } from '../../../app/base.ts';
import { describeError } from '../../../shared/describe-error.ts';
import { PAYMENTS, type PaymentFile, type Row } from './backup-files.ts';
import { createBackupRepository } from './backup.repository.ts';

type Intent = typeof paymentIntents.$inferSelect;
type Broadcast = InferInsertModel<typeof paymentBroadcasts>;

interface PaymentBackupsOptions extends Pick<Base, 'alarmOnce' | 'db' | 'lifetime'> {
  readonly bucket: Pick<R2Bucket, 'put'>;
}

/**
 * Copies each payment's terms to R2 at once, because a payment that lands after the last export could not be matched
 * without them. No request waits for it. After a failure, the payment continues.
 */
export function createPaymentBackups({ db, bucket, lifetime, alarmOnce }: PaymentBackupsOptions) {
  const repository = createBackupRepository(db);
  const write = (intent: Intent, name: string, file: Promise<PaymentFile>) => {
    const key = `${PAYMENTS}${toDay(intent.createdAt)}/${intent.reference}/${name}.json`;
    const writing = file
      .then((content) => bucket.put(key, JSON.stringify(content)))
      .catch((error: unknown) =>
        alarmOnce({ kind: 'backup.refused', details: { error: describeError(error) } }),
      );
    lifetime.keepAlive(writing);
  };

  return {
    /** The subscriber and the caller may be newer than the last export. */
    saveIntent(intent: Intent): void {
      const intents = [toRow(paymentIntents, intent)];
      const file = repository.readPeople(intent).then((people) => ({ ...people, payment_intents: intents }));
      write(intent, 'intent', file);
    },

    /** A restore needs it if the transaction lands after the intent's end. */
    saveBroadcast(intent: Intent, broadcast: Broadcast): void {
      const file = {
        payment_intents: [toRow(paymentIntents, intent)],
        payment_broadcasts: [toRow(paymentBroadcasts, broadcast)],
      };
      write(intent, `sent-${broadcast.signature}`, Promise.resolve(file));
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
