import { client } from './client.ts';

/** Reports a page view by its route's pattern, which contains no user names or queries. */
export function reportPageView(path: string): void {
  client.api.events['page-view'].$post({ json: { path } }).catch(() => undefined);
}
