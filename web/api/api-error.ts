import type { ErrorBody, ErrorCode } from '#schema/contracts/errors.ts';
import { attempt } from '#web/lib/browser/page-storage.ts';

/** Shown for an HTML response, which a server between the browser and the API has sent. */
export const INTERCEPTED_MESSAGE = 'API request intercepted by dev server - authentication required';

const HTTP_UNAUTHORIZED = 401;
const HTTP_SERVER_ERROR = 500;

/** A response with an error status. `message` is '{status}: {text}', `reason` is the sentence for users. */
export class ApiError extends Error {
  readonly status: number;
  /** Null if the response has no error code of the API. */
  readonly code: ErrorCode | null;
  /** Without the name of the field, which is for programs. Null if the response has no sentence for users. */
  readonly reason: string | null;
  readonly details: Readonly<Record<string, unknown>>;

  constructor({ status, text, body }: { status: number; text: string; body: ErrorBody | null }) {
    super(`${status}: ${text}`);
    this.name = 'ApiError';
    this.status = status;
    this.code = body?.error.code ?? null;
    this.details = body?.error ?? {};
    this.reason = body?.message.replace(`${String(this.details['field'])}: `, '') ?? null;
  }
}

export class ConnectionError extends Error {
  readonly reason: string;

  constructor(cause: unknown) {
    super(String(cause), { cause });
    this.name = 'ConnectionError';
    this.reason = noResponseReason();
  }
}

export function noResponseReason(): string {
  return navigator.onLine
    ? "The server didn't respond. Check your connection and try again."
    : "You're offline. Check your connection and try again.";
}

export async function toApiError(
  response: Pick<Response, 'status' | 'statusText' | 'text'>,
): Promise<ApiError> {
  const text = (await response.text()) || response.statusText;
  return new ApiError({ status: response.status, text, body: readErrorBody(text) });
}

export function reasonOf(error: unknown, fallback: string): string {
  return error instanceof ApiError && error.reason ? error.reason : fallback;
}

/** `reasonOf`, or `noResponseReason()` without a response. Use it only for requests that are safe to repeat. */
export function explainFailure(error: unknown, fallback: string): string {
  return error instanceof ConnectionError ? error.reason : reasonOf(error, fallback);
}

/** True if the failure came from the network or a server in front of the API, not from the API itself. */
export function isConnectionFailure(error: unknown): boolean {
  if (error instanceof ApiError) return error.status >= HTTP_SERVER_ERROR && error.code === null;
  return error instanceof ConnectionError;
}

export function hasCode(error: unknown, code: ErrorCode): error is ApiError {
  return error instanceof ApiError && error.code === code;
}

export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.status === HTTP_UNAUTHORIZED;
}

function readErrorBody(text: string): ErrorBody | null {
  const body = attempt((): unknown => JSON.parse(text));
  return isErrorBody(body) ? body : null;
}

function isErrorBody(body: unknown): body is ErrorBody {
  const { message, error } = (body ?? {}) as Partial<ErrorBody>;
  return typeof message === 'string' && typeof error?.code === 'string';
}
