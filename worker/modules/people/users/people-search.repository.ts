import { sql, type SQL } from 'drizzle-orm';
import type { Database } from '../../../shared/database.ts';

const MAX_FOUND = 20;
const MIN_PART = 3;
/** Comes after all characters of handles and emails. */
const LAST_CHARACTER = '\u{10FFFF}';

export interface FoundPerson {
  readonly id: string;
  readonly handle: string;
  readonly name: string;
}

/** Finds people by id, X id, wallet, handle, or the beginning of the handle or email. The exact handle comes first. */
export function findPeople(db: Database, search: string) {
  const handle = search.replace(/^@/, '');
  return db.all<FoundPerson>(sql`
        SELECT u.id, u.twitter_handle AS handle, TRIM(u.first_name || ' ' || u.last_name) AS name
        FROM (
          SELECT id FROM users WHERE id = ${search} OR x_user_id = ${search}
          UNION SELECT id FROM users WHERE twitter_handle = ${handle} COLLATE NOCASE
          UNION SELECT user_id FROM wallets WHERE address = ${search}
          UNION ${startingWith(sql`twitter_handle`, handle)}
          UNION ${startingWith(sql`email`, search)}
        ) found
        JOIN users u ON u.id = found.id
        ORDER BY u.twitter_handle = ${handle} COLLATE NOCASE DESC, u.twitter_handle
        LIMIT ${MAX_FOUND}`);
}

const startingWith = (column: SQL, part: string) => sql`
  SELECT id FROM (
    SELECT id FROM users
    WHERE ${column} COLLATE NOCASE >= ${part} AND ${column} COLLATE NOCASE < ${part + LAST_CHARACTER}
      AND ${part.length >= MIN_PART ? 1 : 0}
    LIMIT ${MAX_FOUND})`;
