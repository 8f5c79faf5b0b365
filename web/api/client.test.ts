import { expect, it, vi } from 'vitest';
import { refuse, stubApi } from '#web/testing/fake-api.ts';
import { ApiError, hasCode, reasonOf } from './api-error.ts';
import { client, read } from './client.ts';
import { fetchUser } from './session.queries.ts';
import { readNextCursor } from './pages.ts';

const path = 'GET /api/auth/user';
const readUser = () => read(client.api.auth.user.$get());
const catchError = async (response: Response) => {
  stubApi({ [path]: response });
  return readUser().then(
    () => null,
    (error: unknown) => error,
  );
};

it('an API request returns the JSON of a successful response', async () => {
  stubApi({ [path]: { id: 'u1' } });
  expect(await readUser()).toEqual({ id: 'u1' });
});

it('an API request sends cookies', async () => {
  const fetch = vi.fn<(url: string, init?: RequestInit) => Promise<Response>>(async () => Response.json({}));
  vi.stubGlobal('fetch', fetch);
  await readUser();
  expect(fetch.mock.calls[0]?.[1]?.credentials).toBe('include');
});

// Specification 8.1
it('an error response throws "{status}: {text}", with status, code and reason', async () => {
  const error = await catchError(refuse(409, 'calls.already_ended', 'This call has ended already.'));
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({
    status: 409,
    code: 'calls.already_ended',
    reason: 'This call has ended already.',
  });
  expect((error as ApiError).message).toMatch(/^409: \{.*This call has ended already/);
  expect(hasCode(error, 'calls.already_ended')).toBe(true);
  expect(reasonOf(error, 'otherwise')).toBe('This call has ended already.');
});

it('the reason why a field was refused doesn’t start with the field’s name', async () => {
  const error = await catchError(refuse(400, 'request.invalid', 'name: Too long.', { field: 'name' }));
  expect(reasonOf(error, 'otherwise')).toBe('Too long.');
});

// Specification 8.2
it('the error of a response with an empty body has the status text', async () => {
  const error = await catchError(new Response('', { status: 503, statusText: 'Service Unavailable' }));
  expect(error).toMatchObject({ message: '503: Service Unavailable', code: null, reason: null });
  expect(reasonOf(error, 'otherwise')).toBe('otherwise');
});

// Specification 8.1
it('the error of a response that isn’t from the API has the response’s text', async () => {
  expect(await catchError(new Response('upstream down', { status: 502 }))).toMatchObject({
    message: '502: upstream down',
    reason: null,
  });
});

// Specification 8.3
it('an HTML response throws the specified “intercepted” error', async () => {
  const error = await catchError(
    new Response('<!doctype html>', { headers: { 'Content-Type': 'text/html; charset=utf-8' } }),
  );
  expect((error as Error).message).toBe('API request intercepted by dev server - authentication required');
});

it('fetchUser returns null for a 401 and throws for a 500', async () => {
  stubApi({ [path]: refuse(401, 'auth.required', 'Please sign in.') });
  expect(await fetchUser()).toBeNull();
  stubApi({ [path]: refuse(500, 'server.failed', 'No.') });
  await expect(fetchUser()).rejects.toBeInstanceOf(ApiError);
});

it.each([
  ['</api/callers?sort=fee&cursor=a%2Fb>; rel="next"', 'a/b'],
  ['</api/callers?cursor=x>; rel="prev"', null],
  [null, null],
])('the Link header %s has the next cursor %s', (link, cursor) => {
  expect(readNextCursor(new Headers(link === null ? {} : { Link: link }))).toBe(cursor);
});
