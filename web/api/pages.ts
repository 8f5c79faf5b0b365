export const cursorPaging = {
  initialPageParam: null as string | null,
  getNextPageParam: (page: { readonly nextCursor: string | null }) => page.nextCursor,
};

/** Returns the query parameter for a page; the first page has none. */
export function cursorParam(cursor: string | null): { cursor?: string } {
  return cursor === null ? {} : { cursor };
}

/** Reads the cursor from a `Link: <...?cursor=...>; rel="next"` header; null on the last page. */
export function readNextCursor(headers: Headers): string | null {
  const link = headers.get('Link') ?? '';
  const next = /<([^>]+)>\s*;\s*rel="?next"?/.exec(link)?.[1];
  return next === undefined ? null : new URLSearchParams(next.slice(next.indexOf('?'))).get('cursor');
}
