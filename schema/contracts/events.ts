import { z } from 'zod';

/** `path` is the pattern of the route, such as `/caller/$username`. */
export const pageViewSchema = z.object({
  path: z
    .string()
    .min(1)
    .max(200)
    .regex(/^\/(?!\/)[\w$:.@/-]*$/, 'Send a path without a query string.'),
});
