import type { ClientResponse } from 'hono/client';
import { send } from './client.ts';

export const cursorPaging = {
  initialPageParam: null as string | null,
  getNextPageParam: (page: Page<unknown>) => page.nextCursor,
};

export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly nextCursor: string | null;
}

export function cursorParam(cursor: string | null): { cursor?: string } {
  return cursor === null ? {} : { cursor };
}

/** Reads the cursor from a `Link: <...?cursor=...>; rel="next"` header. Null on the last page. */
export function readNextCursor(headers: Headers): string | null {
  const link = headers.get('Link') ?? '';
  const next = /<([^>]+)>\s*;\s*rel="?next"?/.exec(link)?.[1];
  return next === undefined ? null : new URLSearchParams(next.slice(next.indexOf('?'))).get('cursor');
}

export async function readPage<Row>(
  request: Promise<ClientResponse<readonly Row[], number, 'json'>>,
): Promise<Page<Row>> {
  const response = await send(request);
  return { rows: await response.json(), nextCursor: readNextCursor(response.headers) };
}
