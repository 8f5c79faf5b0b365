import { desc, eq, sql } from 'drizzle-orm';
import type { HideableText } from '#schema/contracts/operators.ts';
import { callers } from '#schema/tables/callers.ts';
import { payoutChanges } from '#schema/tables/notices.ts';
import { telegramLinks } from '#schema/tables/telegram-links.ts';
import { users } from '#schema/tables/users.ts';
import { isTextHidden } from '../../log/hidden-texts.repository.ts';
import type { Database } from '../../../shared/database.ts';
import { hasReadableTexts, isReadableCall } from '../../log/readable-calls.repository.ts';

const MAX_FOUND = 20;
const MAX_PAYOUT_CHANGES = 10;
const MAX_TEXTS = 100;
/** A caller's newest ended calls that a search for a token looks at. */
const MAX_SEARCHED_CALLS = 1_000;
const MIN_EMAIL_PART = 3;
/** Comes after all characters of an email. */
const LAST_CHARACTER = '\u{10FFFF}';

export interface FoundPerson {
  readonly id: string;
  readonly handle: string;
  readonly name: string;
}

export interface FoundCall {
  readonly id: string;
  readonly handle: string;
  readonly symbol: string;
  readonly at: number;
}

export interface TextRow {
  readonly kind: HideableText;
  readonly subjectId: string;
  readonly text: string;
  readonly isHidden: 0 | 1;
}

export type PersonRows = Awaited<ReturnType<ReturnType<typeof createPersonRepository>['find']>>;

export function createPersonRepository(db: Database) {
  return {
    ...createSearches(db),

    async find(id: string) {
      const [[person], [caller], [chat], changes] = await Promise.all([
        db.select().from(users).where(eq(users.id, id)),
        db.select().from(callers).where(eq(callers.callerId, id)),
        db.select().from(telegramLinks).where(eq(telegramLinks.userId, id)),
        db
          .select()
          .from(payoutChanges)
          .where(eq(payoutChanges.callerId, id))
          .orderBy(desc(payoutChanges.at), desc(payoutChanges.seq))
          .limit(MAX_PAYOUT_CHANGES),
      ]);
      return person && { person, caller, chat, changes };
    },

    listBio: (id: string) =>
      db.all<TextRow>(sql`
        SELECT 'bio' AS kind, u.id AS subjectId, u.bio AS text, ${isTextHidden({ kind: 'bio', id: 'u.id' })} AS isHidden
        FROM users u
        WHERE u.id = ${id} AND u.bio IS NOT NULL`),

    /** The thesis and the updates of a call that operators may see. */
    listTextsOfCall: (id: string) =>
      db.all<TextRow>(sql`
        SELECT 'thesis' AS kind, k.id AS subjectId, k.thesis AS text, ${isTextHidden({ kind: 'thesis', id: 'k.id' })} AS isHidden
        FROM calls k
        WHERE k.id = ${id} AND k.thesis IS NOT NULL AND ${hasReadableTexts}
        UNION ALL
        SELECT * FROM (
          SELECT 'update', n.id, n.message, ${isTextHidden({ kind: 'update', id: 'n.id' })}
          FROM call_updates n
          JOIN calls k ON k.id = n.call_id
          WHERE n.call_id = ${id} AND ${hasReadableTexts}
          LIMIT ${MAX_TEXTS})`),
  };
}

function createSearches(db: Database) {
  return {
    /** By id, X id, handle, wallet or the beginning of the email. */
    findPeople: (search: string) =>
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
        LIMIT ${MAX_FOUND}`),

    /** By id, or ended calls by the caller's handle and the token's symbol. */
    findCalls: (search: string) => {
      const [handle = '', symbol = ''] = search.split(/\s+/, 2).map((word) => word.replace(/^[@$]/, ''));
      return db.all<FoundCall>(sql`
        SELECT k.id, u.twitter_handle AS handle, k.token_symbol AS symbol, k.called_at AS at
        FROM (
          SELECT id FROM calls k WHERE id = ${search} AND ${isReadableCall}
          UNION SELECT id FROM (
            SELECT id, token_symbol FROM calls
            WHERE caller_id = (SELECT id FROM users WHERE twitter_handle = ${handle} COLLATE NOCASE)
              AND ended_at IS NOT NULL AND ${symbol} <> ''
            ORDER BY ended_at DESC
            LIMIT ${MAX_SEARCHED_CALLS})
          WHERE token_symbol = ${symbol} COLLATE NOCASE
        ) found
        JOIN calls k ON k.id = found.id
        JOIN users u ON u.id = k.caller_id
        ORDER BY k.called_at DESC
        LIMIT ${MAX_FOUND}`);
    },
  };
}
