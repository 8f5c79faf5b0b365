import { hashKey, type QueryClient, type QueryKey } from '@tanstack/react-query';
import { currentUserQuery } from './session.queries.ts';

/** One query's data in the first page's HTML: the API's response to a visitor without a session. */
export interface FirstResponse {
  readonly queryKey: QueryKey;
  readonly data: unknown;
  /** True if a signed-in user may get another response. */
  readonly isPersonal: boolean;
  /** True if the list has more rows, which the browser fetches once the page is hydrated. */
  readonly isPartial?: boolean;
}

export interface FirstPage {
  readonly renderedAt: number;
  readonly responses: readonly FirstResponse[];
}

/** Id of the HTML element with the data (worker/modules/public/pages/respond-with-page.ts). */
const DATA_ID = 'first-page';

/** Reads the data from the HTML; null if the server has sent the app without content. */
export function readFirstPage(): FirstPage | null {
  const text = document.getElementById(DATA_ID)?.textContent;
  return text ? parseFirstPage(text) : null;
}

/** Parses what the server has written for this version of the app. */
export function parseFirstPage(json: string): FirstPage {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `renderPage` writes this JSON.
  return JSON.parse(json) as FirstPage;
}

export function fillQueries(queryClient: QueryClient, { renderedAt, responses }: FirstPage): void {
  for (const { queryKey, data } of responses) {
    queryClient.setQueryData(queryKey, data, { updatedAt: renderedAt });
  }
}

/** Refetches the partial lists, and for a signed-in user the responses that may differ for them. */
export function refetchAfterHydration(queryClient: QueryClient, { responses }: FirstPage): void {
  const hashesOf = (found: readonly FirstResponse[]) =>
    new Set(found.map(({ queryKey }) => hashKey(queryKey)));
  const partial = hashesOf(responses.filter(({ isPartial }) => isPartial));
  void queryClient.invalidateQueries({ predicate: ({ queryHash }) => partial.has(queryHash) });
  const personal = hashesOf(responses.filter(({ isPersonal }) => isPersonal));
  if (personal.size === 0) return;
  const stop = queryClient.getQueryCache().subscribe(() => {
    const user = queryClient.getQueryData(currentUserQuery.queryKey);
    if (user === undefined) return;
    stop();
    if (user === null) return;
    void queryClient.invalidateQueries({ predicate: ({ queryHash }) => personal.has(queryHash) });
  });
}
