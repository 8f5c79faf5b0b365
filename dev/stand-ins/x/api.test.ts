import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestEnvironment, type TestEnvironment } from '../controls/test-environment.ts';
import { portraitPng } from './portrait.ts';
import { signIn } from './test-sign-in.ts';

const png = await portraitPng({ name: 'a picture', size: 16 });

let environment: TestEnvironment;
beforeAll(async () => void (environment = await startTestEnvironment()));
afterAll(() => environment.end());

type Options = NonNullable<Parameters<TestEnvironment['request']>[1]>;
async function clientOf({ loginAs, scopes }: { loginAs: string; scopes?: string[] }) {
  const token = (
    await signIn(environment, { loginAs, ...(scopes === undefined ? {} : { scopes }) })
  ).accessToken();
  return (path: string, options: Options = {}) =>
    environment.request(path, {
      ...options,
      headers: { ...options.headers, authorization: `Bearer ${token}` },
    });
}

test.each([
  ['confirmed_email', { loginAs: 'amara_calls', scopes: ['tweet.read', 'users.read'] }],
  ['confirmed_email', { loginAs: 'no_email_noor' }],
  ['profile_image_url', { loginAs: 'no_picture_ned' }],
])('the users/me endpoint omits %s for %o', async (field, account) => {
  const client = await clientOf(account);
  expect((await client(`/x/2/users/me?user.fields=${field}`)).body.data).not.toHaveProperty(field);
});

test('the users/me endpoint formats errors as X does', async () => {
  const unauthorized = await environment.request('/x/2/users/me', {
    headers: { authorization: 'Bearer nothing' },
  });
  expect(unauthorized.headers.get('content-type')).toContain('application/problem+json');
  const body = { title: 'Unauthorized', type: 'about:blank', status: 401, detail: 'Unauthorized' };
  expect(unauthorized).toMatchObject({ status: 401, body });
  const asReader = await clientOf({ loginAs: 'amara_calls', scopes: ['tweet.read'] });
  expect((await asReader('/x/2/users/me')).status).toBe(403);
  const asAmara = await clientOf({ loginAs: 'amara_calls' });
  const wrongField = await asAmara('/x/2/users/me?user.fields=shoe_size');
  expect(wrongField.status).toBe(400);
  expect(wrongField.body).toMatchObject({ parameter: 'user.fields', value: 'shoe_size' });
  const strange = await asAmara('/x/2/users/me?fields=verified');
  expect(strange).toMatchObject({ status: 400, body: { parameter: 'fields', value: 'verified' } });
});

describe('the tweets endpoint', () => {
  let asKenji: Awaited<ReturnType<typeof clientOf>>;
  beforeEach(async () => void (asKenji = await clientOf({ loginAs: 'kenji_charts' })));

  test.each([
    [280, 201],
    [281, 403],
  ])('the tweets endpoint responds to a tweet of %i letters with status %i', async (length, status) => {
    expect((await asKenji('/x/2/tweets', { json: { text: 'a'.repeat(length) } })).status).toBe(status);
  });

  test.each([
    ['Thanks, @somebody', 403],
    ['日本@somebody', 403],
    ['RT@somebody', 403],
    ['write to me@mail', 201],
    ['a price of #@mail', 201],
    ['$BONK and again $BONK', 403],
    ['$WIF from $0.5 to $US1', 403],
    ['$WIF from $0.5 to $1', 201],
  ])('the tweets endpoint responds to “%s” with status %i', async (text, status) => {
    expect((await asKenji('/x/2/tweets', { json: { text } })).status).toBe(status);
  });

  test('the tweets endpoint refuses a duplicate, an empty text and a token without write permission', async () => {
    await asKenji('/x/2/tweets', { json: { text: 'Again and again' } });
    const repeated = await asKenji('/x/2/tweets', { json: { text: 'Again and again' } });
    expect(repeated.status).toBe(403);
    expect(repeated.body.detail).toBe('You are not allowed to create a Tweet with duplicate content.');
    expect((await asKenji('/x/2/tweets', { json: { text: '  ' } })).status).toBe(400);
    expect((await asKenji('/x/2/tweets', { method: 'POST', body: 'not json' })).status).toBe(400);
    const reader = await clientOf({ loginAs: 'kenji_charts', scopes: ['tweet.read', 'users.read'] });
    expect((await reader('/x/2/tweets', { json: { text: 'I may not' } })).status).toBe(403);
  });
});

test('the compose page shows the given text and link, escaped', async () => {
  const draft = new URLSearchParams({ text: 'BONK <b>ended</b> & "up"', url: 'https://a.example/call/1' });
  const { body } = await environment.request(`/x/intent/post?${draft}`);
  expect(body).toContain(
    'BONK &lt;b&gt;ended&lt;/b&gt; &amp; &quot;up&quot; https://a.example/call/1</textarea>',
  );
  expect(body).not.toContain('<script');
});

describe('the media endpoint', () => {
  let asInga: Awaited<ReturnType<typeof clientOf>>;
  beforeEach(async () => void (asInga = await clientOf({ loginAs: 'ninepence' })));

  const file = (content: Uint8Array) => ({
    media: Buffer.from(content).toString('base64'),
    media_category: 'tweet_image',
  });
  const upload = (json: object) => asInga('/x/2/media/upload', { json });

  test('the media endpoint refuses invalid files, a missing category and a token without media.write', async () => {
    const huge = new Uint8Array(5 * 1024 * 1024 + 1);
    huge.set(png);
    for (const [json, status] of [
      [file(Buffer.from('hello')), 400],
      [{ media: file(png).media }, 400],
      [{ media_category: 'tweet_image' }, 400],
      [file(huge), 413],
    ] as const) {
      expect((await upload(json)).status).toBe(status);
    }
    const { id } = (await upload(file(png))).body.data;
    const asTobi = await clientOf({ loginAs: 'tobi_drift' });
    const tweet = { json: { text: 'not mine', media: { media_ids: [id] } } };
    expect((await asTobi('/x/2/tweets', tweet)).body.detail).toBe('Your media IDs are invalid.');
    const scopes = ['tweet.read', 'users.read', 'tweet.write'];
    const withoutMedia = await clientOf({ loginAs: 'ninepence', scopes });
    expect((await withoutMedia('/x/2/media/upload', { json: {} })).status).toBe(403);
  });
});
