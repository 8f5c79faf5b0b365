import { sql, type SQL } from 'drizzle-orm';
import { AppError } from '../app/errors.ts';

/** Where a page ended: the last row's sort value and id. */
export interface KeysetCursor {
  readonly value: number;
  readonly id: string;
}

/** The cursor as text for a URL; `readOptionalCursor` reads it back. */
export function writeCursor(cursor: KeysetCursor): string {
  return btoa(JSON.stringify([cursor.value, cursor.id]))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=+$/, '');
}

/** @returns the cursor, or `null` when the text is none of ours. */
function readCursor(text: string): KeysetCursor | null {
  try {
    const parsed: unknown = JSON.parse(atob(text.replace(/-/g, '+').replace(/_/g, '/')));
    if (!Array.isArray(parsed)) return null;
    const [value, id] = parsed as unknown[];
    return typeof value === 'number' && Number.isFinite(value) && typeof id === 'string'
      ? { value, id }
      : null;
  } catch {
    return null;
  }
}

/** @throws request.invalid for a text that is no cursor of ours. */
export function readOptionalCursor(text: string | undefined): KeysetCursor | null {
  if (text === undefined) return null;
  const cursor = readCursor(text);
  if (!cursor) {
    throw new AppError({
      code: 'request.invalid',
      message: 'cursor: This page marker is not one of ours. Start from the first page.',
      details: { field: 'cursor' },
    });
  }
  return cursor;
}

/**
 * A page of rows ordered by (value, id) after a cursor. Two ranges of one index instead of an OR or a
 * row-value comparison, which read every row of a tie.
 *
 * @param select `SELECT ... FROM ... WHERE ...` with at least one condition, to which more are added.
 */
export function keysetPage({
  select,
  value,
  id,
  order,
  cursor,
  limit,
}: {
  select: SQL;
  value: SQL;
  id: SQL;
  order: 'asc' | 'desc';
  cursor: KeysetCursor | null;
  limit: number;
}): SQL {
  const direction = order === 'asc' ? sql`ASC` : sql`DESC`;
  const after = order === 'asc' ? sql`>` : sql`<`;
  const ordered = sql`ORDER BY ${value} ${direction}, ${id} ${direction} LIMIT ${limit}`;
  if (!cursor) return sql`${select} ${ordered}`;
  return sql`
    SELECT * FROM (
      SELECT * FROM (${select} AND ${value} = ${cursor.value} AND ${id} ${after} ${cursor.id} ORDER BY ${id} ${direction} LIMIT ${limit})
      UNION ALL
      SELECT * FROM (${select} AND ${value} ${after} ${cursor.value} ${ordered})
    ) LIMIT ${limit}`;
}
