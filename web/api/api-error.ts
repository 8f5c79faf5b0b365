import type { ErrorBody, ErrorCode } from '#schema/contracts/errors.ts';

/** For an HTML answer: something between the browser and the API took the request. */
export const INTERCEPTED_MESSAGE = 'API request intercepted by dev server - authentication required';

/** A non-OK answer. `message` is '{status}: {text}'; `reason` is the sentence for users. */
export class ApiError extends Error {
  readonly status: number;
  /** Null when the answer is not one of the API's. */
  readonly code: ErrorCode | null;
  /** The body's `message`, or null when there is none. */
  readonly reason: string | null;
  /** Further fields of the body's `error`. */
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

/** The server's sentence for users, else `fallback`. */
export function reasonOf(error: unknown, fallback: string): string {
  return error instanceof ApiError && error.reason ? error.reason : fallback;
}

export function hasCode(error: unknown, code: ErrorCode): error is ApiError {
  return error instanceof ApiError && error.code === code;
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
  if (typeof body !== 'object' || body === null) return false;
  const { message, error } = body as Partial<ErrorBody>;
  return (
    typeof message === 'string' &&
    typeof error === 'object' &&
    error !== null &&
    typeof error.code === 'string'
  );
}
