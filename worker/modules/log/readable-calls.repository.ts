import { sql } from 'drizzle-orm';
import type { HIDEABLE_TEXTS } from '#schema/constants/running.ts';
import type { Database } from '../../shared/database.ts';
import { isBeingErased, isTextHidden } from './hidden-texts.repository.ts';

const MAX_TEXTS = 100;

/**
 * SQL condition: operators may see the content of the call `k`, because it has ended or every signed-in user sees it.
 * Operators have no access to other open calls.
 */
export const isReadableCall = sql`(k.ended_at IS NOT NULL OR EXISTS (
  SELECT 1 FROM callers c
  WHERE c.caller_id = k.caller_id AND c.fee_lamports = 0 AND NOT c.is_suspended AND NOT c.is_hidden))`;

/** Like `isReadableCall`, for texts: the texts of a deleted account count as erased. */
export const hasReadableTexts = sql`${isReadableCall} AND NOT ${isBeingErased}`;

export interface TextRow {
  readonly kind: (typeof HIDEABLE_TEXTS)[number];
  readonly subjectId: string;
  readonly text: string;
  readonly isHidden: 0 | 1;
}

export const listBio = (db: Database, id: string) =>
  db.all<TextRow>(sql`
        SELECT 'bio' AS kind, u.id AS subjectId, u.bio AS text, ${isTextHidden({ kind: 'bio', id: 'u.id' })} AS isHidden
        FROM users u
        WHERE u.id = ${id} AND u.bio IS NOT NULL`);

/** The thesis and the updates of a call that operators may see. */
export const listTextsOfCall = (db: Database, id: string) =>
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
          LIMIT ${MAX_TEXTS})`);
