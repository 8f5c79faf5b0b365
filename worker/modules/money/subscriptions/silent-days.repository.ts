import { sql, type SQL } from 'drizzle-orm';
import { MAX_SILENT_DAYS, SILENT_AFTER_MS } from '#schema/constants/money.ts';
import { DAY_MS } from '#schema/constants/time.ts';
import { recordEach } from '../../log/facts.repository.ts';
import { wasNotPausedAt } from '../pauses/pauses.repository.ts';

const acts = sql`
  SELECT e.at FROM call_events e JOIN calls k ON k.id = e.call_id
  WHERE e.caller_id = c.caller_id
    AND (e.kind IN ('call_opened', 'call_update') OR (e.kind = 'call_ended' AND k.automatic_end IS NULL))`;

const lastActUntil = (at: number): SQL => sql`(${acts} AND e.at <= ${at} ORDER BY e.at DESC LIMIT 1)`;

/** The last act of the caller `c` if they were silent at the last midnight or the midnight before, and still are. */
export const silentSince = (now: number): SQL<number | null> => sql<number | null>`(
  SELECT d.since FROM silent_days d
  WHERE d.caller_id = c.caller_id AND d.at > ${now - 2 * DAY_MS}
    AND NOT EXISTS (${acts} AND e.at > d.since AND e.at <= ${now})
  ORDER BY d.at DESC
  LIMIT 1)`;

/**
 * Adds the last midnight to the silent days of these callers, if they were silent then and have a paid period that ran.
 * Later acts don't take the day back. Must precede every change that depends on whether a period has ended. Midnights
 * that the cron missed are not added later.
 * @param callerIds a list or subquery of ids
 */
export function addSilentDays(callerIds: SQL, now: number): SQL {
  const midnight = now - (now % DAY_MS);
  return sql`
    INSERT INTO silent_days (caller_id, number, at, since, day_of_silence)
    SELECT caller_id, days + 1, ${midnight}, since, silence + 1
    FROM (
      SELECT caller_id, since,
        COALESCE((
          SELECT number FROM silent_days
          WHERE caller_id = c.caller_id
          ORDER BY number DESC
          LIMIT 1), 0) AS days,
        COALESCE((
          SELECT day_of_silence FROM silent_days
          WHERE caller_id = c.caller_id AND at > c.since
          ORDER BY at DESC
          LIMIT 1), 0) AS silence
      FROM (
        SELECT c.caller_id, MAX(c.created_at, COALESCE(${lastActUntil(midnight)}, 0)) AS since
        FROM callers c
        WHERE c.caller_id IN ${callerIds}
          AND c.fee_lamports > 0
          AND c.charges_since <= ${midnight}
          AND c.deletes_at IS NULL
          AND EXISTS (SELECT 1 FROM users WHERE id = c.caller_id AND left_at IS NULL)) c) silent
    WHERE since <= ${midnight - SILENT_AFTER_MS}
      AND silence < ${MAX_SILENT_DAYS}
      AND NOT EXISTS (SELECT 1 FROM silent_days d WHERE d.caller_id = silent.caller_id AND d.at >= ${midnight})
      AND EXISTS (
        SELECT 1 FROM periods p
        WHERE p.caller_id = silent.caller_id AND p.payment_id IS NOT NULL AND p.status = 'active'
          AND p.starts_at <= ${midnight} AND p.ends_at > ${midnight})
      AND ${wasNotPausedAt('calls', midnight)}`;
}

/** Tells these callers and their paying subscribers of silences that began at the last midnight. */
export function recordSilences(callerIds: SQL, now: number): SQL[] {
  const begun = sql`
    SELECT at, caller_id || ':' || number AS subject, caller_id AS user_id
    FROM silent_days
    WHERE caller_id IN ${callerIds} AND at = ${now - (now % DAY_MS)} AND day_of_silence = 1`;
  return [recordEach('caller_silent', begun), recordEach('own_silence', begun)];
}

/** Saves the ends of these periods where silent days have moved them. */
export const noteExtensions = (ids: SQL): SQL => sql`
  UPDATE subscriptions AS s SET extended_to = moved.ends_at
  FROM (SELECT id, ends_at FROM periods WHERE id IN ${ids}) moved
  WHERE s.id = moved.id AND moved.ends_at > s.known_end`;

/**
 * SQL condition: this pair has a running period `r` that silent days move, so they also move its upcoming periods.
 */
export const runsMoving = (isOfPair: SQL, now: number | SQL): SQL => sql`
  EXISTS (
    SELECT 1 FROM periods r
    WHERE ${isOfPair} AND r.moves_from IS NOT NULL AND r.starts_at <= ${now} AND r.ends_at > ${now})`;
