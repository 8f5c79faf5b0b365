import type { Context } from 'hono';
import type { AppEnv } from './context.ts';

/** A handle on X has at most 15 characters. Ids are longer. */
const HANDLE = /^\w{1,15}$/;

/**
 * Returns the id of the caller that the path's parameter `id` names: their id or their handle. Reads nothing for an id.
 * @throws callers.not_found for an unknown handle
 */
export async function callerIdOf<Env extends AppEnv>(c: Context<Env>): Promise<string> {
  const named = c.req.param('id') ?? '';
  if (!HANDLE.test(named)) return named;
  const { viewerId, services } = c.var;
  return services.callers.findId({ usernameOrId: named, viewerId });
}
