import { sql, type SQL } from 'drizzle-orm';
import { endedEventId } from './call-event-ids.ts';

// Rows that follow from a call, apart from its caller's statistics (call-statistics.repository.ts). The batch that opens,
// updates or ends the call writes them. `which` is a condition on `calls`. Writing them again changes nothing.

/** @param which a condition on `calls` */
export const addOpenedEvents = (which: SQL): SQL => sql`
  INSERT INTO call_events (id, kind, call_id, caller_id, at)
  SELECT 'call_opened:' || id, 'call_opened', id, caller_id, called_at
  FROM calls
  WHERE ${which} AND ended_at IS NULL
  ON CONFLICT DO NOTHING`;

/** @param which a condition on `call_updates u` */
export const addUpdateEvents = (which: SQL): SQL => sql`
  INSERT INTO call_events (id, kind, call_id, caller_id, update_id, at)
  SELECT 'call_update:' || u.id, 'call_update', u.call_id, k.caller_id, u.id, u.created_at
  FROM call_updates u
  JOIN calls k ON k.id = u.call_id
  WHERE ${which}
  ON CONFLICT DO NOTHING`;

/** The event also marks the end as counted in the caller's statistics. */
export const addEndedEvent = (callId: string): SQL => sql`
  INSERT INTO call_events (id, kind, call_id, caller_id, at)
  SELECT ${endedEventId(callId)}, 'call_ended', id, caller_id, ended_at
  FROM calls
  WHERE id = ${callId} AND ended_at IS NOT NULL
  ON CONFLICT DO NOTHING`;

export const addActiveMints = (which: SQL): SQL => sql`
  INSERT INTO active_mints (mint)
  SELECT token_mint
  FROM calls
  WHERE ${which} AND ended_at IS NULL
  ON CONFLICT DO NOTHING`;

export const removeActiveMint = (id: string): SQL => sql`
  DELETE FROM active_mints
  WHERE mint = (SELECT token_mint FROM calls WHERE id = ${id} AND ended_at IS NOT NULL)
    AND NOT EXISTS (SELECT 1 FROM calls k WHERE k.token_mint = active_mints.mint AND k.ended_at IS NULL)`;

export const addCalledTokens = (which: SQL): SQL => sql`
  INSERT INTO called_tokens (mint, symbol, name, call_id)
  SELECT token_mint, token_symbol, token_name, id
  FROM calls
  WHERE ${which} AND ended_at IS NOT NULL
  ON CONFLICT DO NOTHING`;

/** The wallets that the caller had proven at the call's last event. */
const walletsOfCaller = sql`(
  SELECT json_group_array(address)
  FROM wallets
  WHERE user_id = calls.caller_id AND proven_at <= COALESCE(calls.ended_at, calls.called_at))`;

/** Schedules a reading of what the callers held when they made these calls. */
export const addHoldings = (which: SQL): SQL => sql`
  INSERT INTO call_holdings (call_id, wallets, due_at)
  SELECT id, ${walletsOfCaller}, COALESCE(ended_at, called_at)
  FROM calls
  WHERE ${which} AND NOT EXISTS (SELECT 1 FROM call_holdings WHERE call_id = calls.id)`;

/**
 * Schedules another reading when a call has ended, which includes the wallets proven since. Call it before the
 * event.
 */
export const renewHoldings = (id: string): SQL => sql`
  INSERT INTO call_holdings (call_id, wallets, due_at)
  SELECT id, ${walletsOfCaller}, ended_at
  FROM calls
  WHERE id = ${id} AND ended_at IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM call_events WHERE id = ${endedEventId(id)})
    AND NOT EXISTS (SELECT 1 FROM call_holdings WHERE call_id = calls.id AND read_until >= calls.ended_at)
  ON CONFLICT (call_id) DO UPDATE SET due_at = excluded.due_at, tries = 0, wallets = (
    SELECT json_group_array(value) FROM (
      SELECT value FROM json_each(call_holdings.wallets) UNION SELECT value FROM json_each(excluded.wallets)))`;
