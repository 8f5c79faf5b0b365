import type { Context } from 'hono';
import { z, type ZodType } from 'zod';

/** Answers a request whose JSON body fits the schema, and says what is wrong with any other. */
export async function withBody<T>(
  context: Context,
  schema: ZodType<T>,
  answer: (body: T) => Response | Promise<Response>,
): Promise<Response> {
  const parsed = schema.safeParse(await context.req.json().catch(() => undefined));
  return parsed.success ? answer(parsed.data) : context.json({ error: z.prettifyError(parsed.error) }, 400);
}
