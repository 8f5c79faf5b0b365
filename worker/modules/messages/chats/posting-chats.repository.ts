import { sql, type SQL } from 'drizzle-orm';
import { part } from '../../../shared/sql.ts';

/** SQL: the person `m` is in the chat `g`, and can't have left unnoticed. */
export const IS_IN = part("m.status IN ('in', 'admin') AND m.seen_at >= g.doubted_before");

/**
 * Selects the chats `g` of a caller in which a person is and calls are posted, as `mayPost` decides with the problem that the
 * last check found.
 */
export const postingChatsWith = (personId: SQL, callerId: SQL): SQL => sql`
        SELECT 1 FROM telegram_chats g
        JOIN callers p ON p.caller_id = g.caller_id
        CROSS JOIN chat_members m ON m.chat_id = g.chat_id AND m.person_id = ${personId}
        WHERE g.caller_id = ${callerId} AND ${IS_IN}
          AND (g.problem IS NULL OR g.problem = 'no_invite_right')
          AND (p.fee_lamports = 0 OR g.paid_since >= p.charges_since)
          AND p.is_suspended = 0 AND p.is_hidden = 0`;
