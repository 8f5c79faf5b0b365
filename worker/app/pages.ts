import type { Context, TypedResponse } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { JSONParsed } from 'hono/utils/types';
import { writeCursor, type KeysetCursor } from '../shared/keyset.ts';

/** A JSON response. The typed client never sees a 304, because it replaces a 304 with its cached response. */
export type Responded<Value> = Response & TypedResponse<JSONParsed<Value>, ContentfulStatusCode, 'json'>;

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

/** Responds with a page's rows. `Link: rel="next"` is the current URL with the next cursor in this parameter. */
export function respondWithRows<Row>(
  c: Context,
  { rows, nextCursor }: Page<Row>,
  parameter = 'cursor',
): Responded<Row[]> {
  if (nextCursor !== null) {
    const url = new URL(c.req.url);
    url.searchParams.set(parameter, nextCursor);
    url.searchParams.sort();
    c.header('Link', `<${url.pathname}${url.search}>; rel="next"`);
  }
  return respondedWith(c.json(rows));
}

/**
 * Gives a response the type of its JSON. A 304 has no body, but the browser then gives the page the body of the
 * cached response.
 */
export function respondedWith<Value>(response: Response): Responded<Value> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Hono's own type of a generic value is too deep for TypeScript.
  return response as Responded<Value>;
}
