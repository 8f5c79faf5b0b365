import { z } from 'zod';

/** A page view: the route's path pattern, never a query string. */
export const pageViewSchema = z.object({
  path: z
    .string()
    .min(1)
    .max(200)
    .regex(/^\/(?!\/)[\w$:.@/-]*$/, 'A path, without a query string.'),
});
