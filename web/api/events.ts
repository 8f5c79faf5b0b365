import { client } from './client.ts';

/**
 * Reports a page view and ignores failures. `path` is the route's pattern, so that no user name or query is
 * sent.
 */
export function reportPageView(path: string): void {
  client.api.events['page-view'].$post({ json: { path } }).catch(() => undefined);
}
