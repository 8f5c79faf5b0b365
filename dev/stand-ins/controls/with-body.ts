import type { Context } from 'hono';
import { z, type ZodType } from 'zod';

/** Passes the JSON body to `response` if it's valid, else responds with 400 and the validation errors. */
export async function withBody<T>(
  context: Context,
  schema: ZodType<T>,
  response: (body: T) => Response | Promise<Response>,
): Promise<Response> {
  const parsed = schema.safeParse(await context.req.json().catch(() => undefined));
  return parsed.success ? response(parsed.data) : context.json({ error: z.prettifyError(parsed.error) }, 400);
}
