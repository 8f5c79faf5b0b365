import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { isOurFault } from '#schema/contracts/errors.ts';
import type { Ability } from '#schema/rules/running/outages.ts';
import type { AppEnv } from './context.ts';
import { AppError } from './errors.ts';
import { networkOfVisitor } from './network-of.ts';
import { outageCauseOf } from './outage-cause.ts';
import { metadataOf } from './route.ts';

const HTTP_SERVER_ERROR = 500;

/** Notes whether the visitor could do what the route is for. What the visitor did wrong isn't noted. */
export const noteOutcomes = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  const facts = metadataOf(c);
  // A response that needs no database says nothing about the pages.
  const ability = facts?.ability ?? (facts?.replica === true ? 'pages' : null);
  if (ability === null) return;
  const { outages } = c.var.services;
  const error = c.error ?? c.get('pageError');
  if (isFailure(c.res.status, error)) {
    outages.note(ability, { person: c.get('viewerId') ?? networkOfVisitor(c), ...outageCauseOf(error) });
  } else if (hasSucceeded(c, ability)) outages.note(ability, null);
});

function hasSucceeded(c: Context<AppEnv>, ability: Ability): boolean {
  // X's callback also redirects people who have changed their mind.
  if (ability === 'sign_in') return c.get('hasSignedIn') === true;
  // The app's empty shell needs no database.
  return c.res.ok && c.get('isRenderedPage') !== false;
}

function isFailure(status: number, error: unknown): boolean {
  if (error instanceof AppError) return isOurFault(error.code);
  return error !== undefined || status >= HTTP_SERVER_ERROR;
}
