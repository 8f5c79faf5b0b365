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

test('the users/me endpoint returns id, name, username and the requested fields', async () => {
  const asAmara = await clientOf({ loginAs: 'AMARA_calls' });
  expect((await asAmara('/x/2/users/me')).body).toEqual({
    data: { id: '1700000000000000000', name: 'Amara Lanternby', username: 'amara_calls' },
  });
  const { data } = (
    await asAmara('/x/2/users/me?user.fields=profile_image_url,verified,confirmed_email,created_at')
  ).body;
  expect(data).toMatchObject({
    verified: true,
    confirmed_email: 'amara@lanternby.example',
    profile_image_url: `${environment.url}/x/pictures/1700000000000000000_normal.png`,
  });
});

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

test('an account on X has the same id after its handle changes, and the old handle is free', async () => {
  const rename = async (handle: string, newHandle: string) =>
    (await environment.request('/_control/x/rename', { json: { handle, newHandle } })).status;
  const client = await clientOf({ loginAs: 'changes_name' });
  const { id } = (await client('/x/2/users/me')).body.data;
  expect(await rename('changes_name', 'changed_name')).toBe(200);
  expect((await client('/x/2/users/me')).body.data).toMatchObject({ id, username: 'changed_name' });
  const successor = await clientOf({ loginAs: 'changes_name' });
  expect((await successor('/x/2/users/me')).body.data.id).not.toBe(id);
  expect(await rename('nobody_has_it', 'x')).toBe(404);
});

describe('the tweets endpoint', () => {
  let asKenji: Awaited<ReturnType<typeof clientOf>>;
  beforeEach(async () => void (asKenji = await clientOf({ loginAs: 'kenji_charts' })));

  test('the tweets endpoint posts a tweet that the control API then lists', async () => {
    const { status, body } = await asKenji('/x/2/tweets', { json: { text: 'First call: $BONK' } });
    expect(status).toBe(201);
    expect(body.data).toEqual({
      id: expect.stringMatching(/^\d+$/),
      text: 'First call: $BONK',
      edit_history_post_ids: [body.data.id],
    });
    const listed = (await environment.request('/_control/tweets')).body;
    expect(listed.at(-1)).toMatchObject({
      id: body.data.id,
      text: 'First call: $BONK',
      handle: 'kenji_charts',
      mediaIds: [],
    });
    const page = await environment.request(`/x/kenji_charts/status/${body.data.id}`);
    expect(page.body).toContain('First call: $BONK');
  });

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

describe('the compose page', () => {
  const post = (form: Record<string, string>, headers: Record<string, string> = {}) =>
    environment.request('/x/intent/post', { method: 'POST', body: new URLSearchParams(form), headers });
  const lastTweet = async () => (await environment.request('/_control/tweets')).body.at(-1);

  test('the compose page shows the given text and link, escaped', async () => {
    const draft = new URLSearchParams({ text: 'BONK <b>ended</b> & "up"', url: 'https://a.example/call/1' });
    const { body } = await environment.request(`/x/intent/post?${draft}`);
    expect(body).toContain(
      'BONK &lt;b&gt;ended&lt;/b&gt; &amp; &quot;up&quot; https://a.example/call/1</textarea>',
    );
    expect(body).not.toContain('<script');
  });

  test('a text sent from the compose page is posted by the person with the typed handle, even if the person is new', async () => {
    const picked = await post({ text: 'by hand\r\nin two lines ', handle: 'tobi_drift' });
    expect(picked.status).toBe(303);
    expect(await lastTweet()).toMatchObject({
      text: 'by hand\nin two lines',
      handle: 'tobi_drift',
      mediaIds: [],
    });
    expect((await environment.request(picked.headers.get('location') ?? '')).body).toContain('in two lines');
    await post({ text: 'by somebody new', handle: '@composer_new' });
    expect(await lastTweet()).toMatchObject({ text: 'by somebody new', handle: 'composer_new' });
  });

  test('the compose page explains why a draft is refused, and rejects requests from other sites', async () => {
    const before = await lastTweet();
    for (const form of [
      { text: ' ', handle: 'tobi_drift' },
      { text: 'x'.repeat(281), handle: 'tobi_drift' },
      { text: 'hello', handle: 'no handle' },
      {},
    ]) {
      const { status, body } = await post(form);
      expect(status).toBe(400);
      expect(body).toContain('role="alert"');
    }
    expect(
      (await post({ text: 'hello', handle: 'tobi_drift' }, { origin: 'https://evil.example' })).status,
    ).toBe(403);
    expect(await lastTweet()).toEqual(before);
  });
});

describe('the media endpoint', () => {
  let asInga: Awaited<ReturnType<typeof clientOf>>;
  beforeEach(async () => void (asInga = await clientOf({ loginAs: 'ninepence' })));

  const file = (content: Uint8Array) => ({
    media: Buffer.from(content).toString('base64'),
    media_category: 'tweet_image',
  });
  const upload = (json: object) => asInga('/x/2/media/upload', { json });

  test('the media endpoint accepts an image as base64, and a tweet can show the image', async () => {
    const { body } = await upload(file(png));
    const { id } = body.data;
    const media = { id: expect.stringMatching(/^\d+$/), media_key: `3_${id}`, size: png.length };
    expect(body.data).toMatchObject(media);
    const tweet = await asInga('/x/2/tweets', { json: { text: 'base64', media: { media_ids: [id] } } });
    expect(tweet.status).toBe(201);
    const page = await environment.request(`/x/ninepence/status/${tweet.body.data.id}`);
    expect(page.body).toContain(`/x/media/${id}`);
    const shown = await fetch(`${environment.url}/x/media/${id}`);
    expect(shown.headers.get('content-type')).toBe('image/png');
    expect(new Uint8Array(await shown.arrayBuffer())).toEqual(png);
  });

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

test('every size of a profile image is a PNG, and broken images and images of unknown people get a 404', async () => {
  for (const suffix of ['_normal', '_bigger', '_400x400', '']) {
    const response = await fetch(`${environment.url}/x/pictures/1700000000000000000${suffix}.png`);
    expect(response.headers.get('content-type')).toBe('image/png');
    expect([...new Uint8Array(await response.arrayBuffer()).slice(0, 4)]).toEqual([0x89, 0x50, 0x4e, 0x47]);
  }
  const asBo = await clientOf({ loginAs: 'broken_pic_bo' });
  const { profile_image_url: broken } = (await asBo('/x/2/users/me?user.fields=profile_image_url')).body.data;
  expect((await fetch(broken)).status).toBe(404);
  expect((await environment.request('/x/pictures/42_normal.png')).status).toBe(404);
});
