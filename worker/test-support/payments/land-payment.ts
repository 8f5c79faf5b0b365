import { sql } from 'drizzle-orm';
import type { PeriodDays } from '#schema/rules/money/lengths.ts';
import { grantPeriod } from '../../modules/money/payments/paid-periods.repository.ts';
import { createDatabase, runBatch } from '../../shared/database.ts';
import { testEnv } from '../test-app.ts';
import { createId } from '#worker/shared/ids.ts';

export interface LandedPayment {
  readonly userId: string;
  readonly callerId: string;
  readonly now: number;
  /** The commission, a tenth of the payment. Default: 1. */
  readonly platformLamports?: number;
  /** Default: 30. */
  readonly days?: PeriodDays;
}

/** The rows of a payment of 10 lamports, and of its intent, which has the same id. */
export const insertPayment = (
  id: string,
  { userId, callerId, now, platformLamports: platform = 1, days = 30 }: LandedPayment,
) => [
  sql`
    INSERT INTO payment_intents (id, user_id, caller_id, reference, caller_address, platform_address,
      fee_lamports, days, total_lamports, caller_lamports, platform_lamports, created_at, expires_at)
    VALUES (${id}, ${userId}, ${callerId}, ${id}, 'payout', 'platform', ${Math.floor((300 * platform) / days)}, ${days}, ${10 * platform}, ${9 * platform}, ${platform}, 1, 2)`,
  sql`
    INSERT INTO payments (id, signature, intent_id, user_id, caller_id, payer_address, total_lamports,
      caller_lamports, platform_lamports, slot, paid_at, created_at)
    VALUES (${id}, ${id}, ${id}, ${userId}, ${callerId}, 'payer', ${10 * platform}, ${9 * platform}, ${platform}, 1, ${now},
      ${now})`,
];

/**
 * Stores a payment, by default of 10 lamports, with its period, as the product does when it lands. Returns the id of its intent,
 * payment, grant and subscription.
 */
export async function landPayment(landed: LandedPayment): Promise<string> {
  const { userId, callerId, now, platformLamports = 1 } = landed;
  const id = createId();
  const callerLamports = BigInt(9 * platformLamports);
  const payment = { userId, callerId, signature: id, intentId: id, slot: 1, callerLamports };
  await runBatch(createDatabase(testEnv.DB), [
    ...insertPayment(id, landed),
    ...grantPeriod({ payment, grantId: id, subscriptionId: id, now }),
  ]);
  return id;
}
