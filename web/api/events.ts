import { client } from './client.ts';

/** Reports a page view: the route's pattern, never a name or a query. A lost one is no failure. */
export function reportPageView(path: string): void {
  client.api.events['page-view'].$post({ json: { path } }).catch(() => undefined);
}
