import { createMiddleware } from 'hono/factory';
import { isOurFault } from '#schema/contracts/errors.ts';
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
  // X's callback also redirects people who have changed their mind.
  const hasSucceeded = ability === 'sign_in' ? c.get('hasSignedIn') === true : c.res.ok;
  if (hasSucceeded) outages.note(ability, null);
  else if (isFailure(c.res.status, c.error)) {
    outages.note(ability, { person: networkOfVisitor(c), ...outageCauseOf(c.error) });
  }
});

function isFailure(status: number, error: Error | undefined): boolean {
  return error instanceof AppError ? isOurFault(error.code) : status >= HTTP_SERVER_ERROR;
}
