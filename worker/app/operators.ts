import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { AppError } from './errors.ts';
import type { Operator } from '../modules/running/operators/operators.service.ts';
import type { AppEnv } from './context.ts';
import type { Services } from './services.ts';
import { findSession, hasAuthorization, readBearer, type Authentication } from './session.ts';

const OPERATOR_HEADER = 'X-Operator-Id';

/**
 * The operator who sent the request, or null. Also called for unknown URLs, so that their response time doesn't reveal
 * which URLs exist.
 */
export async function findOperator(
  c: Context,
  services: Authentication & Pick<Services, 'operators'>,
): Promise<Operator | null> {
  const { operators } = services;
  // A person's API key never makes an operator.
  if (hasAuthorization(c)) {
    const xId = c.req.header(OPERATOR_HEADER) ?? '';
    return (await operators.isOperatorsToken(readBearer(c))) && operators.isOperatorXId(xId)
      ? { xId, signedInAt: null }
      : null;
  }
  const session = await findSession(c, services);
  const xId = session && (await operators.findXIdOfOperator(session.userId));
  return session && xId !== null ? { xId, signedInAt: session.signedInAt } : null;
}

/** Makes the route return the same 404 as an unknown URL unless an operator requests it. */
export const requireOperator = createMiddleware<AppEnv & { Variables: { operator: Operator } }>(
  async (c, next) => {
    const operator = await findOperator(c, c.var.services);
    if (!operator) throw new AppError({ code: 'request.not_found' });
    c.set('operator', operator);
    await next();
  },
);
