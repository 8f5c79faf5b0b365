import { sql } from 'drizzle-orm';
import { LOG_TEXTS_ENTRIES } from '#schema/constants/log.ts';
import type { LogText } from '#schema/contracts/log.ts';
import { callColumnsWith, calls } from '#schema/tables/calls.ts';
import { factsOf } from '#schema/tables/table.ts';
import { runBatch, type Database } from '../../shared/database.ts';
import { isTextHidden } from './hidden-texts.repository.ts';

interface TextRow {
  readonly number: number;
  readonly kind: 'named' | 'opened' | 'updated';
  /** JSON of the texts and of their salts for `named` and `opened`. */
  readonly salt: string;
  readonly text: string;
}

export interface TextsQuery {
  readonly callerId: string;
  readonly after: number;
}

/** JSON of the texts of the call `k` by their members in its opening's entry. */
const callTexts = sql.raw(
  `json_object(${Object.entries<string>(
    callColumnsWith(({ treatment, logged }) => treatment === 'erase' && logged !== undefined),
  )
    .map(([key, name]) => `'${factsOf(calls).columns[key]?.logged}', k.${name}`)
    .join(', ')})`,
);

export function createLogTextsRepository(db: Database) {
  return {
    /** Lists the public texts of the next LOG_TEXTS_ENTRIES entries. Null for a hidden caller, and without a caller. */
    async list({ callerId, after }: TextsQuery) {
      const until = after + LOG_TEXTS_ENTRIES;
      const isOnPage = sql`caller_id = ${callerId} AND number > ${after} AND number <= ${until}`;
      const isPublic = (kind: 'thesis' | 'update', id: string) => sql`
        k.ended_at IS NOT NULL AND NOT ${isTextHidden({ kind, id })}`;
      const [[caller] = [], rows = []] = await runBatch(db, [
        sql`
          SELECT u.is_hidden, u.deleted_at IS NOT NULL AS is_deleted,
            (SELECT MAX(number) FROM log_entries WHERE caller_id = c.caller_id) AS last
          FROM callers c JOIN users u ON u.id = c.caller_id
          WHERE c.caller_id = ${callerId}`,
        // A hidden text keeps its salt, because it may be shown again. Erased texts have none.
        sql`
          SELECT e.number, e.kind, e.text_salt AS salt, CASE e.kind
            WHEN 'named' THEN e.text
            WHEN 'opened' THEN (
              SELECT ${callTexts} FROM calls k WHERE k.id = e.subject_id AND ${isPublic('thesis', 'k.id')})
            WHEN 'updated' THEN (
              SELECT n.message FROM call_updates n JOIN calls k ON k.id = n.call_id
              WHERE n.id = e.subject_id AND ${isPublic('update', 'n.id')})
            END AS text
          FROM (
            SELECT number, kind, subject_id, text_salt, text FROM log_entries
            WHERE ${isOnPage} AND text_salt IS NOT NULL
            UNION ALL
            SELECT number, kind, subject_id, text_salt, NULL FROM log_salts WHERE ${isOnPage}) e
          ORDER BY e.number`,
      ]);
      if (caller === undefined || caller['is_hidden'] === 1) return null;
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The second statement selects these columns.
      const shown = caller['is_deleted'] === 1 ? [] : (rows as unknown as TextRow[]);
      return {
        texts: shown.filter(({ text }) => text).flatMap(readTexts),
        next: Number(caller['last']) > until ? until : null,
      };
    },
  };
}

function readTexts({ number, kind, salt, text }: TextRow): LogText[] {
  if (kind === 'updated') return [{ number, name: 'text', salt, text }];
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `callTexts` and `appendLogEntry` write both.
  const [texts = {}, salts = {}] = [text, salt].map((json) => JSON.parse(json) as Record<string, string>);
  return Object.entries(salts).flatMap(([name, each]) => {
    const found = texts[name];
    return found ? [{ number, name, salt: each, text: found }] : [];
  });
}
