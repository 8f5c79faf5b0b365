import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { FRESH_SIGN_IN_MS } from '#schema/constants/people.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#schema/constants/time.ts';
import {
  errorMessages,
  errorStatuses,
  isRetryable,
  type CodeWith,
  type ErrorBody,
  type ErrorCode,
} from '#schema/contracts/errors.ts';
import { isFreshSignIn } from '#schema/rules/money/payout-change.ts';
import { pluralize } from '#schema/rules/text/format.ts';
import { formatDuration } from '#schema/rules/text/format-durations.ts';
import { RefusedByXError, type XRefusal } from '../ports/identity.ts';
import { PortUnavailableError, WrongClusterError } from '../ports/unavailable.ts';
import { errorPage } from './error-page.ts';
import { routeOf } from './route-of.ts';
import { allowErrorPageStyles } from './security-headers.ts';
import { describeError, describeErrorWithStack } from '../shared/describe-error.ts';
import { createId } from '../shared/ids.ts';

interface ErrorFields {
  readonly code: ErrorCode;
  readonly message: string;
  /** Added to `error` in the response body, so they are public. */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly retryAfterSeconds?: number | undefined;
}

/** For errors that pass but don't say when. Their messages say “in a minute”. */
const RETRY_AFTER_SECONDS = MINUTE_MS / SECOND_MS;

type CodeWithWait = CodeWith<`${string}{wait}${string}`>;

type AppErrorOptions = Pick<ErrorFields, 'details'> & { readonly cause?: unknown } & (
    | (Pick<ErrorFields, 'code' | 'message'> & { readonly waitMs?: number })
    | { readonly code: Exclude<CodeWith<string>, CodeWithWait>; readonly waitMs?: number }
    | { readonly code: CodeWithWait; readonly waitMs: number }
  );

export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: Readonly<Record<string, unknown>>;
  readonly retryAfterSeconds: number | undefined;

  constructor({ details = {}, waitMs, cause, ...options }: AppErrorOptions) {
    const message = 'message' in options ? options.message : (errorMessages[options.code] ?? '');
    super(message.replace('{wait}', describeWait(waitMs ?? 0)), cause === undefined ? undefined : { cause });
    this.name = 'AppError';
    this.code = options.code;
    this.details = details;
    this.retryAfterSeconds = waitMs === undefined ? undefined : Math.max(1, Math.ceil(waitMs / SECOND_MS));
  }
}

/** 'a second', '40 seconds', 'a minute', '15 minutes' or '3h 20m'. */
function describeWait(waitMs: number): string {
  const [unitMs, unit] = waitMs < MINUTE_MS ? [SECOND_MS, 'second'] : [MINUTE_MS, 'minute'];
  const count = Math.max(1, Math.ceil(waitMs / unitMs));
  if (waitMs > HOUR_MS) return formatDuration(count * unitMs);
  return count === 1 ? `a ${unit}` : pluralize(count, unit);
}

export const createTooManyRequestsError = () => new AppError({ code: 'request.too_many', waitMs: MINUTE_MS });

/** @param action completes "To …", such as "set a webhook" */
export const createSignInTooOldError = (action: string) =>
  new AppError({
    code: 'auth.fresh_sign_in_needed',
    message: `To ${action}, sign in again. Your sign-in is older than ${FRESH_SIGN_IN_MS / MINUTE_MS} minutes.`,
  });

interface FreshSignIn {
  readonly signedInAt: number;
  readonly now: number;
  /** Completes "To …", such as "set a webhook". */
  readonly action: string;
}

/** @throws auth.fresh_sign_in_needed */
export function assertFreshSignIn({ action, ...signIn }: FreshSignIn): void {
  if (!isFreshSignIn(signIn)) throw createSignInTooOldError(action);
}

export async function nullOnErrorCode<Value>(
  code: ErrorCode,
  response: Promise<Value>,
): Promise<Value | null> {
  try {
    return await response;
  } catch (error) {
    if (error instanceof AppError && error.code === code) return null;
    throw error;
  }
}

export function errorBody({ code, message, details }: ErrorFields): ErrorBody {
  return { message, error: { ...details, code, message, ...(isRetryable(code) && { retryable: true }) } };
}

const unavailable = {
  identity: 'auth.provider_unavailable',
  chain: 'chain.unavailable',
  tweets: 'shares.x_unavailable',
} as const satisfies Record<PortUnavailableError['port'], ErrorCode>;

export const UNREADABLE_REQUEST =
  'The request could not be read. Send it as /api/docs says, or reload the page and try again.';

/** People tell us the code, and we find its entry in the log. */
const failed = (requestId: string): ErrorFields => ({
  code: 'server.failed',
  message: `Something went wrong on our side. Please try again. If it happens again, tell us this code: ${requestId}`,
  details: { requestId },
});

/** Responds to a thrown error. An unexpected error is logged, and the response is a 500 without its message. */
export function handleError(error: Error, c: Context): Response | Promise<Response> {
  const requestId = requestIdOf(c);
  log(error, c, requestId);
  const fields = describe(error, requestId);
  if (isRetryable(fields.code)) {
    c.header('Retry-After', String(fields.retryAfterSeconds ?? RETRY_AFTER_SECONDS));
  }
  return response(c, errorBody(fields), errorStatuses[fields.code]);
}

function describe(error: Error, requestId: string): ErrorFields {
  if (error instanceof AppError) return error;
  if (error instanceof PortUnavailableError) return new AppError({ code: unavailable[error.port] });
  if (error instanceof RefusedByXError) return describeXRefusal(error.refusal);
  if (error instanceof WrongClusterError) return new AppError({ code: 'chain.wrong_cluster' });
  if (error instanceof HTTPException && error.status < 500) {
    const code = error.status === 413 ? 'request.too_large' : 'request.invalid';
    return { code, message: error.message || UNREADABLE_REQUEST };
  }
  return failed(requestId);
}

/** For sign-in. Sharing has its own messages. */
function describeXRefusal(refusal: XRefusal): ErrorFields {
  if (refusal.outcome === 'app_refused') return new AppError({ code: 'auth.broken' });
  if (refusal.outcome === 'rate_limited') {
    return new AppError({ code: 'auth.x_rate_limited', waitMs: refusal.retryAfterSeconds * SECOND_MS });
  }
  return new AppError({
    code: 'auth.refused_by_x',
    message: `X refused to sign you in. X says: “${refusal.detail}”`,
  });
}

/** Cloudflare's id of the request, which its logs have too. Without Cloudflare, a random id. */
function requestIdOf(c: Context): string {
  const [ray = ''] = /^[\da-f]{16}/.exec(c.req.header('CF-Ray') ?? '') ?? [];
  return ray === '' ? createId() : ray;
}

function log(error: Error, c: Context, requestId: string): void {
  const entry = (event: string, fields: object) => JSON.stringify({ event, requestId, ...fields });
  if (error instanceof AppError) {
    const { code, cause } = error;
    if (cause !== undefined) console.warn(entry('request.refused', { code, cause: describeError(cause) }));
  } else if (error instanceof RefusedByXError) {
    console.warn(entry('request.refused', { cause: error.message }));
  } else if (error instanceof PortUnavailableError) {
    console.warn(entry('port.unavailable', { port: error.port, cause: describeError(error.cause) }));
  } else if (error instanceof WrongClusterError) {
    console.error(entry('request.refused', { code: 'chain.wrong_cluster', endpoint: error.endpoint }));
  } else if (!(error instanceof HTTPException && error.status < 500)) {
    console.error(entry('request.failed', { route: routeOf(c), error: describeErrorWithStack(error) }));
  }
}

/** Navigations get an HTML page, because the browser opens sign-in and log-out as links. */
function response(c: Context, body: ErrorBody, status: ContentfulStatusCode): Response | Promise<Response> {
  const isNavigation = c.req.header('Sec-Fetch-Mode') === 'navigate';
  if (!isNavigation) return c.json(body, status);
  allowErrorPageStyles(c);
  return c.html(errorPage(body.message), status);
}
