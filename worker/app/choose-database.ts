import { createMiddleware } from 'hono/factory';
import { readFromReplica } from '../shared/database.ts';
import type { AppEnv } from './context.ts';
import { metadataOf } from './route.ts';
import { hasAuthorization, readSessionCookie } from './session.ts';

/**
 * Lets public reads use replicas of the database. A request with a session cookie or an API key uses the primary, so that users see
 * their own changes, and access is never decided with old data.
 */
export const chooseDatabase = createMiddleware<AppEnv>(async (c, next) => {
  const isSignedIn = hasAuthorization(c) || readSessionCookie(c, c.var.services) !== undefined;
  const isPublicRead = metadataOf(c)?.replica === true && !isSignedIn;
  return isPublicRead ? readFromReplica(c.env.DB, next) : next();
});
