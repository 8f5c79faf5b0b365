import { sql } from 'drizzle-orm';
import type { Database } from '../../../shared/database.ts';
import { isReadableCall } from '../../log/readable-calls.repository.ts';

const MAX_FOUND = 20;
/** A caller's newest ended calls that a search for a token looks at. */
const MAX_SEARCHED_CALLS = 1_000;

export interface FoundCall {
  readonly id: string;
  readonly handle: string;
  readonly symbol: string;
  readonly at: number;
  readonly endedAt: number | null;
}

/** Finds calls by id, or ended calls by the caller's handle and the token's symbol. */
export function findCalls(db: Database, search: string): Promise<FoundCall[]> {
  const [handle = '', symbol = ''] = search.split(/\s+/, 2).map((word) => word.replace(/^[@$]+/, ''));
  return db.all<FoundCall>(sql`
        SELECT k.id, u.twitter_handle AS handle, k.token_symbol AS symbol, k.called_at AS at,
          k.ended_at AS endedAt
        FROM (
          SELECT id FROM calls k WHERE id = ${search} AND ${isReadableCall}
          UNION SELECT id FROM (
            SELECT id, token_symbol FROM calls
            WHERE caller_id = (SELECT id FROM users WHERE twitter_handle = ${handle} COLLATE NOCASE)
              AND ended_at IS NOT NULL AND ${symbol} <> ''
            ORDER BY ended_at DESC
            LIMIT ${MAX_SEARCHED_CALLS})
          WHERE ltrim(token_symbol, '$') = ${symbol} COLLATE NOCASE
        ) found
        JOIN calls k ON k.id = found.id
        JOIN users u ON u.id = k.caller_id
        ORDER BY k.called_at DESC
        LIMIT ${MAX_FOUND}`);
}
