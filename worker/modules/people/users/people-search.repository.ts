import { sql } from 'drizzle-orm';
import type { Database } from '../../../shared/database.ts';

const MAX_FOUND = 20;
const MIN_EMAIL_PART = 3;
/** Comes after all characters of an email. */
const LAST_CHARACTER = '\u{10FFFF}';

export interface FoundPerson {
  readonly id: string;
  readonly handle: string;
  readonly name: string;
}

/** Finds people by id, X id, handle, wallet or the beginning of the email. */
export const findPeople = (db: Database, search: string) =>
  db.all<FoundPerson>(sql`
        SELECT u.id, u.twitter_handle AS handle, TRIM(u.first_name || ' ' || u.last_name) AS name
        FROM (
          SELECT id FROM users WHERE id = ${search}
          UNION SELECT id FROM users WHERE x_user_id = ${search}
          UNION SELECT id FROM users WHERE twitter_handle = ${search.replace(/^@/, '')} COLLATE NOCASE
          UNION SELECT user_id FROM wallets WHERE address = ${search}
          UNION SELECT id FROM (
            SELECT id FROM users
            WHERE email COLLATE NOCASE >= ${search} AND email COLLATE NOCASE < ${search + LAST_CHARACTER}
              AND ${search.length >= MIN_EMAIL_PART ? 1 : 0}
            LIMIT ${MAX_FOUND})
        ) found
        JOIN users u ON u.id = found.id
        LIMIT ${MAX_FOUND}`);
