import type { SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import { RENEWAL_REMINDER_DAYS } from '#schema/constants/money.ts';
import type { PeriodDays } from '#schema/rules/money/lengths.ts';
import { DAY_MS } from '#schema/constants/time.ts';
import { remindOfEach } from '../../log/facts.repository.ts';

const FIRST_REMINDER_MS = Math.max(...RENEWAL_REMINDER_DAYS) * DAY_MS;

/** SQL: the days that were bought with the payment of this column. */
export const boughtDays = (paymentId: string): SQL<PeriodDays | null> => sql`(
  SELECT i.days FROM payments y JOIN payment_intents i ON i.id = y.intent_id WHERE y.id = ${sql.raw(paymentId)})`;

/**
 * Sets the reminders of periods with an end. The first one that is due plans the next one (`renewals.service.ts`).
 * @param which a condition on `subscriptions s`, which finds its rows by an index
 */
export const remindOfEnds = (which: SQL): SQL =>
  remindOfEach(
    'renewal',
    sql`
      SELECT s.known_end - ${FIRST_REMINDER_MS} AS at, s.id AS subject, s.subscriber_id AS user_id
      FROM subscriptions s
      WHERE +s.ends_at IS NOT NULL AND ${which}`,
  );
