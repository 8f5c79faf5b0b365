import type { Context } from 'hono';

/** Rows of one page and the cursor of the next, if there is one. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly nextCursor: string | null;
}

/** Names the next page in a `Link: rel="next"` header: the same address with another cursor. */
export function linkNextPage(c: Context, nextCursor: string | null): void {
  if (nextCursor === null) return;
  const url = new URL(c.req.url);
  url.searchParams.set('cursor', nextCursor);
  c.header('Link', `<${url.pathname}${url.search}>; rel="next"`);
}
