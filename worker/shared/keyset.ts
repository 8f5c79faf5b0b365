import { sql, type SQL } from 'drizzle-orm';
import { AppError } from '../app/errors.ts';
import { fromBase64Url, toBase64Url } from './base64.ts';
import { part } from './sql.ts';

export interface KeysetCursor {
  readonly value: number;
  readonly id: string;
  readonly group?: number;
}

export function writeCursor(cursor: KeysetCursor): string {
  return toBase64Url(new TextEncoder().encode(JSON.stringify([cursor.value, cursor.id, cursor.group])));
}

const isPosition = (value: unknown): value is [value: number, id: string, group?: unknown] =>
  Array.isArray(value) && Number.isFinite(value[0]) && typeof value[1] === 'string';

function readCursor(text: string): KeysetCursor | null {
  try {
    const parsed: unknown = JSON.parse(new TextDecoder().decode(fromBase64Url(text)));
    if (!isPosition(parsed)) return null;
    const [value, id, group] = parsed;
    return { value, id, group: group === 0 ? 0 : 1 };
  } catch {
    return null;
  }
}

export function readOptionalCursor(text: string | undefined): KeysetCursor | null {
  if (text === undefined) return null;
  const cursor = readCursor(text);
  if (!cursor) {
    throw new AppError({
      code: 'request.invalid',
      message: 'cursor: This page link is not valid. Start from the first page.',
      details: { field: 'cursor' },
    });
  }
  return cursor;
}

export interface KeysetQuery {
  /** Ends with a WHERE condition, because `keysetPage` appends `AND ...`. */
  readonly select: SQL;
  readonly value: SQL | string;
  readonly id: SQL | string;
  readonly order: 'asc' | 'desc';
  readonly cursor: KeysetCursor | null;
  readonly limit: number;
}

/**
 * Selects one page of rows after the cursor, ordered by (value, id). Reads two ranges of one index, because with OR or
 * a row-value comparison, SQLite would read all rows that have the cursor's value.
 */
export function keysetPage({ select, order, cursor, limit, ...columns }: KeysetQuery): SQL {
  const [value, id] = [part(columns.value), part(columns.id)];
  const direction = sql.raw(order === 'asc' ? 'ASC' : 'DESC');
  const after = sql.raw(order === 'asc' ? '>' : '<');
  const ordered = sql`ORDER BY ${value} ${direction}, ${id} ${direction} LIMIT ${limit}`;
  if (!cursor) return sql`${select} ${ordered}`;
  return sql`
    SELECT * FROM (
      SELECT * FROM (
        ${select} AND ${value} = ${cursor.value} AND ${id} ${after} ${cursor.id}
        ORDER BY ${id} ${direction}
        LIMIT ${limit})
      UNION ALL
      SELECT * FROM (${select} AND ${value} ${after} ${cursor.value} ${ordered})
    ) LIMIT ${limit}`;
}
