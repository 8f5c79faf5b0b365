import { client } from './client.ts';

/**
 * Reports a page view and ignores failures. `path` is the route's pattern, so it contains no user names or
 * queries.
 */
export function reportPageView(path: string): void {
  client.api.events['page-view'].$post({ json: { path } }).catch(() => undefined);
}
