import type { Context } from 'hono';
import { writeCursor, type KeysetCursor } from '../shared/keyset.ts';

/** `nextCursor` is null on the last page. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly nextCursor: string | null;
}

/** Cuts the rows to `limit`. Query `limit` + 1 rows: an extra row means that there is a next page. */
export function cutPage<Row>(
  rows: readonly Row[],
  limit: number,
  cursorOf: (row: Row) => KeysetCursor,
): { shown: Row[]; nextCursor: string | null } {
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return { shown, nextCursor: last === undefined ? null : writeCursor(cursorOf(last)) };
}

/** Sets `Link: rel="next"` to the current URL with the next cursor. */
export function linkNextPage(c: Context, nextCursor: string | null): void {
  if (nextCursor === null) return;
  const url = new URL(c.req.url);
  url.searchParams.set('cursor', nextCursor);
  url.searchParams.sort();
  c.header('Link', `<${url.pathname}${url.search}>; rel="next"`);
}
