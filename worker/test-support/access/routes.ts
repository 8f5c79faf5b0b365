import { listRoutes as describeRoutes } from '../../list-routes.ts';
import type { DescribedRoute } from '../../app/route.ts';

/** All routes of the app. */
export const ROUTES: readonly DescribedRoute[] = describeRoutes();

/** All routes as `METHOD /pattern`. */
export function listRoutes(): string[] {
  return ROUTES.map(({ route }) => route);
}

/** The schemas that validate a route's requests, by part of the request. */
export function schemasOf(route: string): DescribedRoute['schemas'] {
  return ROUTES.find((each) => each.route === route)?.schemas ?? {};
}
