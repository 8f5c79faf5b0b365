import { createMiddleware } from 'hono/factory';
import type { AppEnv } from './context.ts';
import { AppError } from './errors.ts';
import { metadataOf } from './route.ts';
import { findSession, hasAuthorization, readSessionCookie } from './session.ts';

/**
 * Refuses requests with an Authorization header unless it is an API key that may use the route. Operators' routes and
 * unknown URLs check the header themselves, because their response is always the same 404.
 */
export const checkApiKey = createMiddleware<AppEnv>(async (c, next) => {
  const facts = metadataOf(c);
  if (!hasAuthorization(c) || facts === undefined || facts.session === 'operator') return next();
  const { services } = c.var;
  if (readSessionCookie(c, services) !== undefined) throw new AppError({ code: 'api_keys.with_cookie' });
  const session = await findSession(c, services);
  if (!session) throw new AppError({ code: 'api_keys.invalid' });
  if (facts.apiKey === undefined) throw new AppError({ code: 'api_keys.not_allowed' });
  const isRefused = facts.apiKey === 'call' && session.isReadOnly === true;
  if (isRefused) throw new AppError({ code: 'api_keys.read_only' });
  return next();
});
