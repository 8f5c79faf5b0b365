import { createApp } from '../app/app.ts';

/** All routes as `METHOD /pattern`, without duplicates. */
export function listRoutes(): string[] {
  const routes = createApp().routes.filter(({ method }) => method !== 'ALL');
  return [...new Set(routes.map(({ method, path }) => `${method} ${path}`))].toSorted();
}
