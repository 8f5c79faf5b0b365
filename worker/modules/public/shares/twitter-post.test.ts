import fc from 'fast-check';
import { beforeEach, expect, it, vi } from 'vitest';
import { HOUR_MS, SECOND_MS } from '#schema/constants/time.ts';
import type { ErrorBody, ErrorCode } from '#schema/contracts/errors.ts';
import type { TwitterPostResponse } from '#schema/contracts/shares.ts';
import { expectRefusal, expectRefusalWithoutTrace, readResponse } from '#test/responses.ts';
import { makeCall, MINTS } from '#test/people/callers.ts';
import { query } from '#test/database/database.ts';
import { interceptX } from '#test/images/intercept-x.ts';
import { pngPortrait } from '#test/images/avatars.ts';
import {
  respondToConsent,
  createSharer,
  readMedium,
  requestsToX,
  toDataUrl,
  tweetsOf,
} from '#test/images/shares.ts';
import { control, createTestApp, testEnv, type Person, type TestApp } from '#test/test-app.ts';
import { addCallId } from './png-call-id.ts';
import { createId } from '#worker/shared/ids.ts';

const HOUR_SECONDS = HOUR_MS / SECOND_MS;

/** The compose page of the local X. In production it is https://x.com/intent/post. */
const COMPOSE_URL = `${testEnv.X_API_URL}/intent/post`;

let app: TestApp;
let caller: Person;
let image: Uint8Array<ArrayBuffer>;

beforeEach(async () => {
  app = await createTestApp();
  const sharer = await createSharer(app);
  caller = sharer.caller;
  image = await sharer.readImage();
  await respondToConsent({ app, person: caller });
});

const post = (body: object, person = caller) => person.post('/api/twitter-post', body);
const bodyOf = (text = 'My call ended.') => ({ text, imageDataUrl: toDataUrl(image) });
const share = (text?: string) => post(bodyOf(text));

/** Asserts that the share is refused without a write to the database or a request to X. */
async function expectNothingPosted(body: object, code: ErrorCode, person = caller) {
  const responses: ErrorBody[] = [];
  const requests = await requestsToX(
    async () => void responses.push(await expectRefusalWithoutTrace(() => post(body, person), code)),
  );
  expect(requests).toEqual([]);
  return responses[0] ?? expect.unreachable();
}

// Specification 4.36
it('a share is posted with the trimmed text and the server’s image, and returns the tweet’s URL', async () => {
  const { tweetUrl } = await readResponse<TwitterPostResponse>(share('  BONK: +50.0%\nheld a day \n'));
  const [tweet, ...others] = await tweetsOf(caller.handle);
  expect(others).toEqual([]);
  expect(tweet?.text).toBe('BONK: +50.0%\nheld a day');
  expect(tweetUrl).toMatch(new RegExp(`/x/i/status/${tweet?.id}$`));
  expect(await (await fetch(tweetUrl)).text()).toContain('BONK: +50.0%');
  expect(tweet?.mediaIds).toHaveLength(1);
  expect(await readMedium(tweet?.mediaIds[0] ?? '')).toEqual(image);
});

it('a share that X rejects returns X’s own reason', async () => {
  await readResponse(share('once'));
  const { message, error } = await expectRefusal(share('once'), 'shares.rejected_by_x');
  expect(error['composeUrl']).toBe(COMPOSE_URL);
  expect(message).toBe(
    'Failed to post tweet: X refused it. You are not allowed to create a Tweet with duplicate content.',
  );
  expect(await tweetsOf(caller.handle)).toHaveLength(1);
});

// Specification 6.22, 8.22
it('a share without a session returns 401, with the specification’s text', async () => {
  const { message } = await expectRefusal(
    app.request('/api/twitter-post', { method: 'POST', body: bodyOf() }),
    'auth.required',
  );
  expect(message).toBe('Please sign in with Twitter to post tweets');
});

// Specification 6.22
it('a share by a user who is not a caller is rejected', async () => {
  await expectNothingPosted(bodyOf(), 'users.not_a_caller', await app.signIn('reader'));
});

// Specification 5.16, 5.17
it.each([
  [
    'is empty',
    ['', ' ', '\n\t ', '\u200B\u2060 \u202E'],
    'shares.text_empty',
    'Your tweet needs some text content',
  ],
  [
    'has more than 280 characters',
    ['a'.repeat(281), '🪁'.repeat(281)],
    'shares.text_too_long',
    'A tweet can have at most 280 characters. Shorten it.',
  ],
  [
    'exceeds X’s own limit',
    ['🪁'.repeat(280)],
    'shares.text_too_long',
    'X counts 560 characters in this text and allows 280. Shorten it. A link counts as 23, an emoji or a Chinese, Japanese or Korean character as 2.',
  ],
] as const)('a share whose text %s is rejected with the reason', async (_what, texts, code, reason) => {
  for (const text of texts) {
    expect((await expectNothingPosted(bodyOf(text), code)).message).toBe(reason);
  }
});

const postImage = (imageDataUrl: string) => ({ text: 'x', imageDataUrl });
const edit = (at: number) =>
  toDataUrl(image.map((byte, index) => (index === at ? byte ^ (1 << (at & 7)) : byte)));

it('a share returns 400 for an image that is not a PNG data URL', async () => {
  const base64 = toDataUrl(image).replace(/^.*,/, '');
  for (const imageDataUrl of [
    '',
    'https://evil.example/share.png',
    `data:image/jpeg;base64,${base64}`,
    'data:image/svg+xml;base64,PHN2Zy8+',
  ]) {
    const { error } = await expectNothingPosted(postImage(imageDataUrl), 'request.invalid');
    expect(error['field']).toBe('imageDataUrl');
  }
});

// Specification 4.36
it('a share returns 409 with the current image if the sent image differs in one byte', async () => {
  const afterCallId = 100;
  for (const at of [8, 20, ...fc.sample(fc.integer({ min: afterCallId, max: image.length - 1 }), 6)]) {
    const { error, message } = await expectNothingPosted(postImage(edit(at)), 'shares.image_changed');
    expect(message).toBe('The image has changed. Refresh the preview and post again. Your text is kept.');
    expect(error['imageDataUrl']).toBe(toDataUrl(image));
  }
});

it('a share with the image of another caller’s call is rejected', async () => {
  const other = await createSharer(app);
  const { message } = await expectNothingPosted(
    postImage(toDataUrl(await other.readImage())),
    'calls.not_yours',
  );
  expect(message).toBe('You can only post your own calls.');
});

it('a share returns 409 and no new image if the sent image belongs to no ended call', async () => {
  const active = await makeCall({ caller, mint: MINTS.JUP, price: 1 });
  const withoutCall = [...image.slice(0, 33), ...image.slice(33 + 12 + 'Call\0'.length + 20)];
  for (const bytes of [
    new Uint8Array(0),
    Uint8Array.of(0xff, 0xd8, 0xff, 0xe0),
    image.slice(0, 40),
    Uint8Array.from(withoutCall),
    addCallId(Uint8Array.from(withoutCall), active.id),
    addCallId(Uint8Array.from(withoutCall), createId()),
    addCallId(Uint8Array.from(withoutCall), ''),
  ]) {
    const { error } = await expectNothingPosted(postImage(toDataUrl(bytes)), 'shares.image_changed');
    expect(error).not.toHaveProperty('imageDataUrl');
  }
  await expectNothingPosted(postImage('data:image/png;base64,***'), 'shares.image_changed');
});

it('a share returns 409 if the avatar loads only for the preview or only for the post', async () => {
  const { fetch } = globalThis;
  let avatar: () => Response = () => new Response('', { status: 404 });
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) =>
    String(input).startsWith(testEnv.X_AVATARS_URL) ? Promise.resolve(avatar()) : fetch(input, init),
  );
  const url = `${testEnv.X_AVATARS_URL}/1/ada.png`;
  await query('UPDATE users SET profile_image_url = ? WHERE id = ?', url, caller.id);
  const withLetter = postImage(toDataUrl(image));
  avatar = () => new Response(pngPortrait);
  const { error } = await expectNothingPosted(withLetter, 'shares.image_changed');
  const withAvatar = postImage(String(error['imageDataUrl']));
  expect(withAvatar.imageDataUrl).not.toBe(withLetter.imageDataUrl);
  avatar = () => new Response('', { status: 404 });
  await expectNothingPosted(withAvatar, 'shares.image_changed');
  await readResponse<TwitterPostResponse>(post(withLetter));
});

it.each(['media/upload', '2/tweets'])(
  'a share returns 429 with Retry-After if X rate-limits %s, and nothing is posted',
  async (path) => {
    await control('POST', '/faults', { service: 'x', path, status: 429, count: 1 });
    const response = await share();
    expect(response.headers.has('Retry-After')).toBe(true);
    const { message, error } = await expectRefusal(response, 'shares.rate_limited');
    expect(message).toContain(
      'Failed to post tweet: X accepts no more posts for now. Nothing was posted; please try again in ',
    );
    expect(error['composeUrl']).toBe(COMPOSE_URL);
    expect(await tweetsOf(caller.handle)).toEqual([]);
    await readResponse(share());
  },
);

it('a share says how long to wait if its limit for a day is used up', async () => {
  const second = Math.floor(app.clock.now() / SECOND_MS);
  const headers = {
    'x-rate-limit-reset': String(second + 61),
    'x-user-limit-24hour-remaining': '0',
    'x-user-limit-24hour-reset': String(second + 7 * HOUR_SECONDS),
    'x-app-limit-24hour-remaining': '12',
    'x-app-limit-24hour-reset': String(second + 9 * HOUR_SECONDS),
  };
  interceptX('/2/tweets', async () => new Response('{}', { status: 429, headers }));
  const response = await share();
  expect(response.headers.get('Retry-After')).toBe(String(7 * HOUR_SECONDS));
  expect((await expectRefusal(response, 'shares.rate_limited')).message).toContain('in 7h.');
});

it('a share whose refresh X rate-limits keeps the permission, and the next share works', async () => {
  await query('UPDATE x_tokens SET expires_at = 0');
  await control('POST', '/faults', { service: 'x', path: 'oauth2/token', status: 429, count: 1 });
  const response = await share();
  expect(response.headers.get('Retry-After')).toBe('900');
  await expectRefusal(response, 'shares.rate_limited');
  expect(await tweetsOf(caller.handle)).toEqual([]);
  await readResponse(share());
});

it.each([
  [(second: number) => String(second + 61), '61', '2 minutes.'],
  [(second: number) => String(second - 5), '1', 'a second.'],
  [() => 'soon', '900', '15 minutes.'],
])(
  'a rate-limited share has the Retry-After $1, from X’s reset time unless that time is invalid',
  async (resetAt, retryAfter, words) => {
    const headers = { 'x-rate-limit-reset': resetAt(Math.floor(app.clock.now() / SECOND_MS)) };
    interceptX('/2/tweets', async () => new Response('{}', { status: 429, headers }));
    const response = await share();
    expect(response.headers.get('Retry-After')).toBe(retryAfter);
    expect((await expectRefusal(response, 'shares.rate_limited')).message.endsWith(words)).toBe(true);
  },
);

it.each([
  ['suspended', 'Your account is suspended and is not permitted to access this feature.'],
  ['locked', 'Please log in to https://twitter.com to unlock your account.'],
])('a share from a %s account shows X’s text', async (block, text) => {
  await control('POST', '/x/account-block', { handle: caller.handle, block });
  expect((await expectRefusal(share(), 'shares.rejected_by_x')).message).toContain(text);
  await control('POST', '/x/account-block', { handle: caller.handle, block: null });
});

it.each(['credits', 'spending_limit'])(
  'a share returns 502 with a link to post by hand, and is logged, if nothing is left of our %s at X',
  async (of) => {
    const warnings = vi.spyOn(console, 'warn').mockReturnValue();
    await control('POST', '/x/credits', { usd: 0, of });
    const { message, error } = await expectRefusal(share(), 'shares.x_unavailable');
    expect(message).toBe(
      "Failed to post tweet: SolCallers can't post on X at the moment. Nothing was posted.",
    );
    expect(error['composeUrl']).toBe(COMPOSE_URL);
    expect(warnings.mock.calls.join()).toContain('x.credits_depleted');
    expect(await tweetsOf(caller.handle)).toEqual([]);
  },
);

it.each([{ status: 503 }, { drop: true }])(
  'a share whose image upload to X fails returns 502, and nothing is posted: %j',
  async (failure) => {
    await control('POST', '/faults', { service: 'x', path: 'media/upload', ...failure, count: 1 });
    const { message, error } = await expectRefusalWithoutTrace(() => share(), 'shares.x_unavailable');
    expect(message).toMatch(/^Failed to post tweet/);
    expect(error['composeUrl']).toBe(COMPOSE_URL);
    expect(await tweetsOf(caller.handle)).toEqual([]);
    await readResponse(share());
  },
);

it.each([{ status: 503 }, { drop: true }])(
  'a share whose request to post on X fails says that the tweet may have been posted: %j',
  async (failure) => {
    await control('POST', '/faults', { service: 'x', path: '2/tweets', ...failure, count: 1 });
    const { message, error } = await expectRefusal(share(), 'shares.unconfirmed');
    expect(message).toMatch(/^Failed to post tweet/);
    // The error has no link to post by hand, because the post may already be on X.
    expect(error).not.toHaveProperty('composeUrl');
  },
);
