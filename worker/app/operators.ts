import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { Operator } from '../modules/running/operators/operators.service.ts';
import type { AppEnv } from './context.ts';
import { createAddressNotFoundError } from './errors.ts';
import type { Services } from './services.ts';
import { findSession } from './session.ts';

/** The command line sends the operators' token and names the operator. */
const BEARER = /^Bearer (.+)$/;
const OPERATOR_HEADER = 'X-Operator-Id';

/**
 * The operator who sent the request. Null for everybody else. Unknown addresses call this, too, so that the time of
 * their response doesn't differ.
 */
export async function findOperator(
  c: Context,
  services: Pick<Services, 'auth' | 'cookies' | 'operators'>,
): Promise<Operator | null> {
  const { operators } = services;
  const [, token] = BEARER.exec(c.req.header('Authorization') ?? '') ?? [];
  if (token !== undefined) {
    const xId = c.req.header(OPERATOR_HEADER) ?? '';
    return (await operators.isOperatorsToken(token)) && operators.isOperatorXId(xId)
      ? { xId, signedInAt: null }
      : null;
  }
  const session = await findSession(c, services);
  const xId = session && (await operators.findXIdOfOperator(session.userId));
  return session && xId !== null ? { xId, signedInAt: session.signedInAt } : null;
}

/** For everybody but operators, the route responds like an unknown address. */
export const requireOperator = createMiddleware<AppEnv & { Variables: { operator: Operator } }>(
  async (c, next) => {
    const operator = await findOperator(c, c.var.services);
    if (!operator) throw createAddressNotFoundError();
    c.set('operator', operator);
    await next();
  },
);
