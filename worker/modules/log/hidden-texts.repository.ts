import { sql, type SQL } from 'drizzle-orm';
import { PRODUCT_NAME } from '#schema/constants/app.ts';
import { type HIDEABLE_TEXTS } from '#schema/constants/running.ts';
import { part } from '../../shared/sql.ts';

export const HIDDEN_TEXT = `Hidden by ${PRODUCT_NAME}`;

interface StoredText {
  readonly kind: (typeof HIDEABLE_TEXTS)[number];
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

/**
 * A thesis or an update of the call `k`, as `shownText`. While the deletion of the account runs, it already counts
 * as erased.
 */
export const shownTextOfCall = (text: StoredText): SQL<string | null> =>
  sql`iif(${isBeingErased}, ${text.kind === 'update' ? part("''") : null}, ${shownText(text)})`;

/** SQL condition: the account that made the call `k` is deleted, but not all of its texts are erased. */
export const isBeingErased = sql`EXISTS (
  SELECT 1 FROM users INDEXED BY users_to_erase
  WHERE id = k.caller_id AND deleted_at IS NOT NULL AND erased_at IS NULL)`;

export function isTextHidden({ kind, id }: Omit<StoredText, 'text'>): SQL<0 | 1> {
  return sql`EXISTS (SELECT 1 FROM hidden_texts WHERE kind = ${part(`'${kind}'`)} AND subject_id = ${part(id)})`;
}
