import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { PortUnavailableError, WrongClusterError } from '../ports/unavailable.ts';
import { errorPage } from './error-page.ts';
import { errorStatuses, type ErrorBody, type ErrorCode } from '#schema/contracts/errors.ts';

export interface AppErrorOptions {
  readonly code: ErrorCode;
  /** In words the reader can act on. */
  readonly message: string;
  /** Further fields of `error` in the body; public. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** When asking again makes sense; said in a Retry-After header. */
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
}

/** An answer other than success that we chose. Anything else thrown is a fault of ours. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: Readonly<Record<string, unknown>>;
  readonly retryAfterSeconds: number | undefined;

  constructor({ code, message, details = {}, retryAfterSeconds, cause }: AppErrorOptions) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'AppError';
    this.code = code;
    this.details = details;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Builds the one error body. */
export function errorBody({
  code,
  message,
  details,
}: {
  code: ErrorCode;
  message: string;
  details?: Readonly<Record<string, unknown>>;
}): ErrorBody {
  return { message, error: { ...details, code, message } };
}

const unavailable = {
  identity: {
    code: 'auth.provider_unavailable',
    message: 'X does not answer at the moment. Please try again in a minute.',
  },
  chain: {
    code: 'chain.unavailable',
    message:
      'The Solana network does not answer at the moment. Nothing was changed; please try again in a minute.',
  },
  tweets: {
    code: 'shares.x_unavailable',
    message: 'Failed to post tweet: X does not answer at the moment. Please try again in a minute.',
  },
} as const;

const wrongCluster = {
  code: 'chain.wrong_cluster',
  message:
    'Payments are switched off until we have mended our connection to Solana. Nothing was charged by this, and a payment that you sent before is not lost. Please try again later.',
} as const;

/** Turns whatever was thrown into an answer. Faults of ours are logged and answered without their text. */
export function handleError(error: Error, c: Context): Response | Promise<Response> {
  if (error instanceof AppError) {
    if (error.cause !== undefined) {
      console.warn(
        JSON.stringify({ event: 'request.refused', code: error.code, cause: String(error.cause) }),
      );
    }
    if (error.retryAfterSeconds !== undefined) c.header('Retry-After', String(error.retryAfterSeconds));
    return answer(c, errorBody(error), errorStatuses[error.code]);
  }
  if (error instanceof PortUnavailableError) {
    console.warn(JSON.stringify({ event: 'port.unavailable', port: error.port, cause: String(error.cause) }));
    const { code, message } = unavailable[error.port];
    return answer(c, errorBody({ code, message, details: error.details }), errorStatuses[code]);
  }
  if (error instanceof WrongClusterError) {
    console.error(
      JSON.stringify({ event: 'request.refused', code: wrongCluster.code, endpoint: error.endpoint }),
    );
    return answer(c, errorBody(wrongCluster), errorStatuses[wrongCluster.code]);
  }
  if (error instanceof HTTPException && error.status < 500) {
    const code = error.status === 413 ? 'request.too_large' : 'request.invalid';
    return answer(
      c,
      errorBody({ code, message: error.message || 'The request could not be read.' }),
      errorStatuses[code],
    );
  }
  console.error(
    JSON.stringify({ event: 'request.failed', path: c.req.path, error: error.stack ?? String(error) }),
  );
  return answer(
    c,
    errorBody({ code: 'server.failed', message: 'Something went wrong on our side. Please try again.' }),
    500,
  );
}

/** Links (sign-in, log-out) are opened by people, who get the sentence as a page. */
function answer(c: Context, body: ErrorBody, status: number): Response | Promise<Response> {
  const isNavigation = c.req.header('Sec-Fetch-Mode') === 'navigate';
  return isNavigation
    ? c.html(errorPage(body.message), status as ContentfulStatusCode)
    : c.json(body, status as ContentfulStatusCode);
}
