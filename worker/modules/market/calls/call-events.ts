import { sql, type SQL } from 'drizzle-orm';

// Call events for the caller's followers. The batch that changes a call also adds its event. Adding an event twice has
// no effect.

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

/** The id with which a sender accepts an event again. For private chats, `part` is the chat whose members get it. */
export const repeatedEventId = (eventId: string, part: string): string => `${eventId}@${part}`;

export function readEventId(id: string): { readonly eventId: string; readonly part: string | null } {
  const [eventId = '', part = null] = id.split('@');
  return { eventId, part };
}

export const endedEventId = (callId: string): string => `call_ended:${callId}`;

/** The event also marks the end as counted in the caller's statistics. */
export const addEndedEvent = (callId: string): SQL => sql`
  INSERT INTO call_events (id, kind, call_id, caller_id, at)
  SELECT ${endedEventId(callId)}, 'call_ended', id, caller_id, ended_at
  FROM calls
  WHERE id = ${callId} AND ended_at IS NOT NULL
  ON CONFLICT DO NOTHING`;
