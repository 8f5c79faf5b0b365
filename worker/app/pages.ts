import type { Context } from 'hono';
import { writeCursor, type KeysetCursor } from '../shared/keyset.ts';

/** Rows of one page and the cursor of the next, if there is one. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly nextCursor: string | null;
}

/** Cuts rows of which one more than a page was asked for: what is shown, and the cursor of the next page. */
export function cutPage<Row>(
  rows: readonly Row[],
  limit: number,
  cursorOf: (row: Row) => KeysetCursor,
): { shown: Row[]; nextCursor: string | null } {
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return { shown, nextCursor: last === undefined ? null : writeCursor(cursorOf(last)) };
}

/** Names the next page in a `Link: rel="next"` header: the same address with another cursor. */
export function linkNextPage(c: Context, nextCursor: string | null): void {
  if (nextCursor === null) return;
  const url = new URL(c.req.url);
  url.searchParams.set('cursor', nextCursor);
  c.header('Link', `<${url.pathname}${url.search}>; rel="next"`);
}
