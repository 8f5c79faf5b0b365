import { STATUS_CODES } from 'node:http';
import type { Context } from 'hono';
import type { Block } from './credits.ts';
import type { AccountBlock } from './people-register.ts';

const PROBLEMS = 'https://api.x.com/2/problems';

/** An error of X's API v2 (`application/problem+json`, RFC 7807). */
export function problem(
  context: Context,
  { status, detail }: { status: 401 | 403 | 404 | 413; detail: string },
): Response {
  const title = STATUS_CODES[status] ?? 'Error';
  return asProblem(context, { title, type: 'about:blank', status, detail }, status);
}

export function invalidRequest(
  context: Context,
  { parameter, value, message }: { parameter: string; value: string; message: string },
): Response {
  const body = {
    title: 'Invalid Request',
    detail: message,
    type: `${PROBLEMS}/invalid-request`,
    status: 400,
    parameter,
    value,
  };
  return asProblem(context, body, 400);
}

/** X documents neither response. These were reported in July and September 2026; before, the type was `credits`. */
export function blocked(context: Context, reason: Block): Response {
  if (reason === 'credits') {
    const depleted = { title: 'Payment Required', detail: 'credits depleted', status: 402 };
    return context.json({ ...depleted, type: `${PROBLEMS}/credits-depleted` }, 402);
  }
  const reached = { title: 'Forbidden', detail: 'Your monthly spend cap has been reached.', status: 403 };
  return context.json({ ...reached, type: `${PROBLEMS}/spend-cap-reached` }, 403);
}

/** X's texts of its errors 64 and 326, which have no `detail`. */
export function accountBlocked(context: Context, block: AccountBlock): Response {
  const errors = {
    suspended: {
      code: 64,
      message: 'Your account is suspended and is not permitted to access this feature.',
    },
    locked: {
      code: 326,
      message:
        'To protect our users from spam and other malicious activity, this account is temporarily locked. ' +
        'Please log in to https://twitter.com to unlock your account.',
    },
  };
  return context.json({ errors: [errors[block]] }, 403);
}

function asProblem(context: Context, body: object, status: 400 | 401 | 403 | 404 | 413): Response {
  return context.body(JSON.stringify(body), status, {
    'content-type': 'application/problem+json; charset=utf-8',
  });
}
