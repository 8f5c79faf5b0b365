import { sql, type SQL } from 'drizzle-orm';
import { HIDDEN_TEXT, type HIDEABLE_TEXTS } from '#schema/constants.ts';
import { part } from './sql.ts';

interface StoredText {
  readonly kind: (typeof HIDEABLE_TEXTS)[number];
  /** The ids and texts as columns of the query. */
  readonly id: SQL | string;
  readonly text: SQL | string;
}

/**
 * Selects a text, or HIDDEN_TEXT if operators have hidden it. Every query that shows a bio, a thesis or an update to
 * other users must use this.
 */
export function shownText({ kind, id, text }: StoredText): SQL<string | null> {
  const stored = part(text);
  return sql`iif(${stored} IS NOT NULL AND ${isTextHidden({ kind, id })}, ${part(`'${HIDDEN_TEXT}'`)}, ${stored})`;
}

export function isTextHidden({ kind, id }: Omit<StoredText, 'text'>): SQL<0 | 1> {
  return sql`EXISTS (SELECT 1 FROM hidden_texts WHERE kind = ${part(`'${kind}'`)} AND subject_id = ${part(id)})`;
}
