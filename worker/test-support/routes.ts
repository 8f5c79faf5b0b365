import type { z } from 'zod';
import { createApp } from '../app/app.ts';
import { validationOf } from '../app/validate.ts';

/** All routes as `METHOD /pattern`, without duplicates. */
export function listRoutes(): string[] {
  const routes = createApp().routes.filter(({ method }) => method !== 'ALL');
  return [...new Set(routes.map(({ method, path }) => `${method} ${path}`))].toSorted();
}

/** The schemas that a route's requests are validated with, by part of the request. */
export function schemasOf(route: string): Partial<Record<string, z.ZodType>> {
  const validations = createApp()
    .routes.filter(({ method, path }) => `${method} ${path}` === route)
    .flatMap(({ handler }) => validationOf(handler) ?? []);
  return Object.fromEntries(validations.map(({ target, schema }) => [target, schema]));
}
