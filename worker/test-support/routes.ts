import { createApp } from '../app/app.ts';

/** Every route of the product as `METHOD /pattern`, each once. */
export function listRoutes(): string[] {
  const routes = createApp().routes.filter(({ method }) => method !== 'ALL');
  return [...new Set(routes.map(({ method, path }) => `${method} ${path}`))].toSorted();
}
