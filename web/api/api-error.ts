import type { ErrorBody, ErrorCode } from '#schema/contracts/errors.ts';

/** Shown when the response is HTML, which means that something between the browser and the API answered. */
export const INTERCEPTED_MESSAGE = 'API request intercepted by dev server - authentication required';

const HTTP_UNAUTHORIZED = 401;

/** A response with an error status. `message` is '{status}: {text}', `reason` is the sentence for users. */
export class ApiError extends Error {
  readonly status: number;
  /** Null if the response has no error code of the API. */
  readonly code: ErrorCode | null;
  /** Null if the response has no sentence for users. */
  readonly reason: string | null;
  /** The other fields of `error` in the response body. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor({ status, text, body }: { status: number; text: string; body: ErrorBody | null }) {
    super(`${status}: ${text}`);
    this.name = 'ApiError';
    this.status = status;
    this.code = body?.error.code ?? null;
    this.reason = body?.message ?? null;
    this.details = body?.error ?? {};
  }
}

export async function toApiError(response: Response): Promise<ApiError> {
  const text = (await response.text()) || response.statusText;
  return new ApiError({ status: response.status, text, body: readErrorBody(text) });
}

/** Returns the server's sentence for users, or `fallback` if there is none. */
export function reasonOf(error: unknown, fallback: string): string {
  return error instanceof ApiError && error.reason ? error.reason : fallback;
}

export function hasCode(error: unknown, code: ErrorCode): error is ApiError {
  return error instanceof ApiError && error.code === code;
}

/** Whether the request needs a session and there is none, or it has ended. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.status === HTTP_UNAUTHORIZED;
}

function readErrorBody(text: string): ErrorBody | null {
  try {
    const body: unknown = JSON.parse(text);
    return isErrorBody(body) ? body : null;
  } catch {
    return null;
  }
}

function isErrorBody(body: unknown): body is ErrorBody {
  const { message, error } = (body ?? {}) as Partial<ErrorBody>;
  return typeof message === 'string' && typeof error?.code === 'string';
}
