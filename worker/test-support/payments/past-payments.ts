import { SUBSCRIPTION_PERIOD_MS } from '#schema/constants/money.ts';
import { MINUTE_MS } from '#schema/constants/time.ts';
import { testEnv } from '../test-app.ts';

export interface PastPaymentsOptions {
  readonly userId: string;
  readonly callerId: string;
  readonly count: number;
  /** Time of the first payment, unix ms. */
  readonly from: number;
  /** The number of payments with the same timestamp. Each group is a minute after the previous one. */
  readonly tie: number;
}

export interface PastPayment {
  readonly signature: string;
  readonly startsAt: number;
  readonly at: number;
}

/**
 * Inserts finalized payments of 0.5 SOL directly, with ledger entries, periods and notices. Returns them ordered by
 * (time, id).
 */
export async function insertPastPayments({
  userId,
  callerId,
  count,
  from,
  tie,
}: PastPaymentsOptions): Promise<PastPayment[]> {
  const made = Array.from({ length: count }, (_, index) => {
    const number = String(index).padStart(6, '0');
    return {
      number,
      slot: index + 1,
      signature: `past${number}`,
      startsAt: from + index * SUBSCRIPTION_PERIOD_MS,
      at: from + Math.floor(index / tie) * MINUTE_MS,
    };
  });
  const rows = `SELECT value ->> 'number' AS number, value ->> 'slot' AS slot, value ->> 'signature' AS signature,
       value ->> 'startsAt' AS starts_at, value ->> 'at' AS at
     FROM json_each(?1)`;
  const amounts = '500000000, 450000000, 50000000';
  const write = (statement: string, ...values: unknown[]) =>
    testEnv.DB.prepare(`${statement} FROM (${rows})`).bind(JSON.stringify(made), ...values);
  const endsAt = `starts_at + ${SUBSCRIPTION_PERIOD_MS}`;
  await testEnv.DB.batch([
    write(
      `INSERT INTO payment_intents (
         id, user_id, caller_id, reference, caller_address, platform_address,
         fee_lamports, days, total_lamports, caller_lamports, platform_lamports, created_at, expires_at)
       SELECT 'intent-' || number, ?2, ?3, 'reference-' || number, 'caller-wallet', 'platform-wallet', 500000000, 30, ${amounts}, at, at`,
      userId,
      callerId,
    ),
    write(
      `INSERT INTO payments (
         id, signature, intent_id, user_id, caller_id, payer_address,
         total_lamports, caller_lamports, platform_lamports, slot, paid_at, created_at)
       SELECT 'payment-' || number, signature, 'intent-' || number, ?2, ?3, 'payer-wallet', ${amounts}, slot, at, at`,
      userId,
      callerId,
    ),
    write(
      `INSERT INTO payment_ledger (id, payment_id, kind, slot, starts_at, ends_at, at)
       SELECT 'grant-' || number, 'payment-' || number, 'granted', slot, starts_at, ${endsAt}, at`,
    ),
    write(
      `INSERT INTO subscriptions (
         id, subscriber_id, caller_id, payment_id, starts_at, ends_at, status, created_at)
       SELECT 'period-' || number, ?2, ?3, 'payment-' || number, starts_at, ${endsAt}, 'active', at`,
      userId,
      callerId,
    ),
    write(
      `INSERT INTO payment_ledger (id, payment_id, kind, slot, at)
       SELECT 'settled-' || number, 'payment-' || number, 'finalized', slot, at`,
    ),
    write(
      `INSERT INTO facts (is_reminder, at, kind, subject, user_id)
       SELECT 0, at, 'payment_received', 'payment-' || number, ?2`,
      callerId,
    ),
  ]);
  return made;
}
