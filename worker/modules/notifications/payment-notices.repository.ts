import { sql } from 'drizzle-orm';
import type { Database } from '../../app/database.ts';

export type PaymentNoticesRepository = ReturnType<typeof createPaymentNoticesRepository>;

/** Final payments, which the database writes down by itself for being told. */
export function createPaymentNoticesRepository(db: Database) {
  return {
    /** `null` unless it is final and was paid to this caller. */
    async find({ paymentId, callerId }: { paymentId: string; callerId: string }): Promise<{ readonly caller_lamports: number } | null> {
      const [row] = await db.all<{ caller_lamports: number }>(sql`
        SELECT p.caller_lamports FROM payment_notices n JOIN payments p ON p.id = n.payment_id
        WHERE n.payment_id = ${paymentId} AND p.caller_id = ${callerId}`);
      return row ?? null;
    },
  };
}
