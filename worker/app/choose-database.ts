import { createMiddleware } from 'hono/factory';
import { readFromReplica } from '../shared/database.ts';
import type { AppEnv } from './context.ts';
import { metadataOf } from './route.ts';
import { readSessionCookie } from './session.ts';

/**
 * Lets public reads use replicas of the database. A request with a session cookie uses the primary, so that users see
 * their own changes, and access is never decided with old data.
 */
export const chooseDatabase = createMiddleware<AppEnv>(async (c, next) => {
  const isPublicRead = metadataOf(c)?.replica === true && readSessionCookie(c, c.var.services) === undefined;
  return isPublicRead ? readFromReplica(c.env.DB, next) : next();
});
