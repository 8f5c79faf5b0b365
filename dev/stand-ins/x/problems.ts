import { STATUS_CODES } from 'node:http';
import type { Context } from 'hono';

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
    errors: [{ parameters: { [parameter]: [value] }, message }],
    title: 'Invalid Request',
    detail: 'One or more parameters to your request was invalid.',
    type: 'https://api.twitter.com/2/problems/invalid-request',
  };
  return asProblem(context, body, 400);
}

/** X's response to every request once the app's credits are used up. */
export function creditsDepleted(context: Context): Response {
  const body = {
    account_id: 1_234_567_890,
    title: 'CreditsDepleted',
    detail: 'Your enrolled account [1234567890] does not have any credits to fulfill this request.',
    type: 'https://api.twitter.com/2/problems/credits',
  };
  return context.json(body, 402);
}

function asProblem(context: Context, body: object, status: 400 | 401 | 403 | 404 | 413): Response {
  return context.body(JSON.stringify(body), status, {
    'content-type': 'application/problem+json; charset=utf-8',
  });
}
