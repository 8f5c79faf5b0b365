import { hashKey, type QueryClient, type QueryKey } from '@tanstack/react-query';
import { currentUserQuery } from './session.queries.ts';

/** One query's data in the first page's HTML: the API's response to a visitor without a session. */
export interface FirstResponse {
  readonly queryKey: QueryKey;
  readonly data: unknown;
  /** True if a signed-in user may get another answer. */
  readonly isPersonal: boolean;
}

/** The data of the first page's HTML. */
export interface FirstPage {
  /** Time of rendering on the server, in unix ms. */
  readonly renderedAt: number;
  readonly responses: readonly FirstResponse[];
}

/** The element of the HTML that has the data (worker/modules/public/pages/page-content.ts). */
const DATA_ID = 'first-page';

/** Reads the data of the HTML; null if the server has sent the app without content. */
export function readFirstPage(): FirstPage | null {
  const text = document.getElementById(DATA_ID)?.textContent;
  return text ? (JSON.parse(text) as FirstPage) : null;
}

/** Makes the queries return the page's data instead of asking the API. */
export function fillQueries(queryClient: QueryClient, { renderedAt, responses }: FirstPage): void {
  for (const { queryKey, data } of responses) {
    queryClient.setQueryData(queryKey, data, { updatedAt: renderedAt });
  }
}

/** Once the user is known to be signed in, asks the API again for the responses that may differ for them. */
export function refetchForUser(queryClient: QueryClient, { responses }: FirstPage): void {
  const personal = new Set(
    responses.filter(({ isPersonal }) => isPersonal).map(({ queryKey }) => hashKey(queryKey)),
  );
  if (personal.size === 0) return;
  const stop = queryClient.getQueryCache().subscribe(() => {
    const user = queryClient.getQueryData(currentUserQuery.queryKey);
    if (user === undefined) return;
    stop();
    if (user === null) return;
    void queryClient.invalidateQueries({ predicate: ({ queryHash }) => personal.has(queryHash) });
  });
}
