import { client } from './client.ts';

/** Reports a page view. Pass the route's pattern, so that no name or query is sent. Failures are ignored. */
export function reportPageView(path: string): void {
  client.api.events['page-view'].$post({ json: { path } }).catch(() => undefined);
}
