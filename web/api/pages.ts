/** The cursor of the next page, from a `Link: <...?cursor=...>; rel="next"` header; null on the last page. */
export function readNextCursor(headers: Headers): string | null {
  const link = headers.get('Link') ?? '';
  const next = /<([^>]+)>\s*;\s*rel="?next"?/.exec(link)?.[1];
  return next === undefined ? null : new URLSearchParams(next.slice(next.indexOf('?'))).get('cursor');
}
