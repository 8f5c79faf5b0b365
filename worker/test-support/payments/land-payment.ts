import { sql } from 'drizzle-orm';
import { grantPeriod } from '../../modules/money/payments/paid-periods.repository.ts';
import { createDatabase, runBatch } from '../../shared/database.ts';
import { testEnv } from '../test-app.ts';

export interface LandedPayment {
  readonly userId: string;
  readonly callerId: string;
  readonly now: number;
}

/** The rows of a payment of 10 lamports, and of its intent, which has the same id. */
export const insertPayment = (id: string, { userId, callerId, now }: LandedPayment) => [
  sql`
    INSERT INTO payment_intents (id, user_id, caller_id, reference, caller_address, platform_address,
      total_lamports, caller_lamports, platform_lamports, created_at, expires_at)
    VALUES (${id}, ${userId}, ${callerId}, ${id}, 'payout', 'platform', 10, 9, 1, 1, 2)`,
  sql`
    INSERT INTO payments (id, signature, intent_id, user_id, caller_id, payer_address, total_lamports,
      caller_lamports, platform_lamports, slot, paid_at, created_at)
    VALUES (${id}, ${id}, ${id}, ${userId}, ${callerId}, 'payer', 10, 9, 1, 1, ${now}, ${now})`,
];

/**
 * Stores a payment of 10 lamports with its period, as the product does when it lands. Returns the id of its intent,
 * payment, grant and subscription.
 */
export async function landPayment(landed: LandedPayment): Promise<string> {
  const { now, ...pair } = landed;
  const id = crypto.randomUUID();
  const payment = { ...pair, signature: id, intentId: id, slot: 1, callerLamports: 9n };
  await runBatch(createDatabase(testEnv.DB), [
    ...insertPayment(id, landed),
    ...grantPeriod({ payment, grantId: id, subscriptionId: id, now }),
  ]);
  return id;
}
