import { infiniteQueryOptions, type keepPreviousData, type QueryKey } from '@tanstack/react-query';
import type { ClientResponse } from 'hono/client';
import { send } from './client.ts';

export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly nextCursor: string | null;
}

const rowsOf = <Row>({ pages }: { pages: readonly Page<Row>[] }): readonly Row[] =>
  pages.flatMap(({ rows }) => rows);

interface PagedOptions {
  readonly staleTime?: number;
  readonly refetchInterval?: number;
  readonly retry?: number;
  readonly placeholderData?: typeof keepPreviousData;
}

/** A list that is read page by page. The query's data are the rows of all loaded pages. */
export const pagedQuery = <Row>(
  queryKey: QueryKey,
  request: (query: { cursor?: string }) => Promise<ClientResponse<readonly Row[], number, 'json'>>,
  options: PagedOptions = {},
) =>
  infiniteQueryOptions({
    ...options,
    queryKey,
    queryFn: ({ pageParam }) => readPage(request(pageParam === null ? {} : { cursor: pageParam })),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    select: rowsOf<Row>,
  });

/** Reads the cursor from a `Link: <...?cursor=...>; rel="next"` header. Null on the last page. */
export function readNextCursor(headers: Headers): string | null {
  const [, cursor] = /[?&]cursor=([^&>]+).*rel="next"/.exec(headers.get('Link') ?? '') ?? [];
  return cursor === undefined ? null : decodeURIComponent(cursor);
}

/** A response that isn't a list counts as empty. */
async function readPage<Row>(
  request: Promise<ClientResponse<readonly Row[], number, 'json'>>,
): Promise<Page<Row>> {
  const response = await send(request);
  const rows: readonly Row[] = await response.json();
  return { rows: Array.isArray(rows) ? rows : [], nextCursor: readNextCursor(response.headers) };
}
