import { expect } from 'vitest';
import { errorStatuses, isRetryable, type ErrorBody, type ErrorCode } from '#schema/contracts/errors.ts';
import { readDatabase } from './database/database.ts';

/** Asserts an error response with this code, its status, no caching, and when to try again. Returns the body. */
export async function expectRefusal(
  pending: Response | Promise<Response>,
  code: ErrorCode,
): Promise<ErrorBody> {
  const response = await pending;
  const text = await response.text();
  expect(text).toContain(`"${code}"`);
  const body = JSON.parse(text) as ErrorBody;
  expect({ status: response.status, cacheControl: response.headers.get('Cache-Control') }).toEqual({
    status: errorStatuses[code],
    cacheControl: 'private, no-store',
  });
  expect(body.error.code).toBe(code);
  expect([body.error.retryable ?? false, response.headers.has('Retry-After')]).toEqual(
    Array.from({ length: 2 }, () => isRetryable(code)),
  );
  expect(body.message).toBe(body.error.message);
  expect(body.message.length).toBeGreaterThan(0);
  return body;
}

/**
 * Asserts that a request is rejected and leaves the database unchanged, except for a counted attempt and the session's
 * last use.
 */
export async function expectRefusalWithoutTrace(
  sendRequest: () => Promise<Response>,
  code: ErrorCode,
): Promise<ErrorBody> {
  const readRows = async () => {
    const { sessions = [], ...rows } = await readDatabase();
    const tokens = sessions.map(({ token_hash: hash }) => hash);
    return { ...rows, attempts: [], sessions: tokens };
  };
  const before = await readRows();
  const body = await expectRefusal(sendRequest(), code);
  expect(await readRows()).toEqual(before);
  return body;
}

/** Reads all pages of a list by following their Link headers. @throws Error after 1,000 pages */
export async function readPages<Item>(
  sendRequest: (path: string) => Response | Promise<Response>,
  firstPath: string,
): Promise<Item[][]> {
  const pages: Item[][] = [];
  for (let path: string | undefined = firstPath; path !== undefined;) {
    const response = await sendRequest(path);
    path = /^<(.+)>; rel="next"$/.exec(response.headers.get('Link') ?? '')?.[1];
    pages.push(await readResponse<Item[]>(response));
    if (pages.length > 1_000) throw new Error('The pages do not end');
  }
  return pages;
}

/** Asserts the status and parses the body. */
export async function readResponse<Value>(
  pending: Response | Promise<Response>,
  status = 200,
): Promise<Value> {
  const response = await pending;
  const text = await response.text();
  expect({ status: response.status, text: response.status === status ? '' : text }).toEqual({
    status,
    text: '',
  });
  return JSON.parse(text) as Value;
}
