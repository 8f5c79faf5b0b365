import { z } from 'zod';

/** `path` is the route's pattern. */
export const pageViewSchema = z.object({
  path: z
    .string()
    .min(1)
    .max(200)
    .regex(/^\/(?!\/)[\w$:.@/-]*$/, 'Send a path without a query string.'),
});
