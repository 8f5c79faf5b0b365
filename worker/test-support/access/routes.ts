import { listRoutes as describeRoutes } from '../../list-routes.ts';
import type { DescribedRoute } from '../../app/route.ts';

/** All routes of the app. */
export const ROUTES: readonly DescribedRoute[] = describeRoutes();

/** All routes as `METHOD /pattern`. */
export function listRoutes(): string[] {
  return ROUTES.map(({ route }) => route);
}

/** A request of a route with this text for each of its parameters, and an empty body if it's a write. */
export function requestOf(route: string, id = 'nothing'): { path: string; method: string; body?: object } {
  const [method = '', pattern = ''] = route.split(' ');
  const path = pattern.replace(/:part\{.*\}/, 'sitemap-pages.xml').replace(/:\w+/g, id);
  return { path, method, ...(method !== 'GET' && method !== 'DELETE' && { body: {} }) };
}

/** The schemas that validate a route's requests, by part of the request. */
export function schemasOf(route: string): DescribedRoute['schemas'] {
  return ROUTES.find((each) => each.route === route)?.schemas ?? {};
}
