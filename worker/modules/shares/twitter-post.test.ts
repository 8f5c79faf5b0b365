import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MAX_SHARE_BODY_BYTES, SECOND_MS, SHARE_IMAGE_MAX_BYTES } from '#schema/constants.ts';
import type { ErrorCode } from '#schema/contracts/errors.ts';
import type { TwitterPostAnswer } from '#schema/contracts/shares.ts';
import { expectRefusal, expectRefusalWithoutTrace, readAnswer } from '../../test-support/answers.ts';
import { createCaller } from '../../test-support/callers.ts';
import { interceptX } from '../../test-support/intercept-x.ts';
import { answerConsent, makeEndedCall, readImage, readMedium, toDataUrl, tweetsOf } from '../../test-support/shares.ts';
import { control, createTestApp, type Person, type TestApp } from '../../test-support/test-app.ts';

let app: TestApp;
let caller: Person;
let image: Uint8Array<ArrayBuffer>;
let count = 0;

beforeEach(async () => {
  app = await createTestApp();
  // The local X outlives a test: each posts under a handle of its own.
  caller = await createCaller(app, `sharer${Date.now() % 1_000_000}_${count++}`);
  image = await readImage(app, (await makeEndedCall({ caller })).id);
});

const post = (body: object, person = caller) => person.post('/api/twitter-post', body);
const share = (text = 'My call ended.') => post({ text, imageDataUrl: toDataUrl(image) });
const allow = () => answerConsent({ app, person: caller });

/** Asserts that a refusal wrote nothing here and reached nobody on X. */
async function expectNothingPosted(body: object, code: ErrorCode, person = caller) {
  const answer = await expectRefusalWithoutTrace(() => post(body, person), code);
  expect(await tweetsOf(caller.handle)).toEqual([]);
  return answer;
}

describe('a share', () => {
  it('posts the trimmed text with the very image, and answers where it stands', async () => {
    await allow();
    const { tweetUrl } = await readAnswer<TwitterPostAnswer>(share('  BONK: +50.0%\nheld a day \n'));
    const [tweet, ...others] = await tweetsOf(caller.handle);
    expect(others).toEqual([]);
    expect(tweet?.text).toBe('BONK: +50.0%\nheld a day');
    expect(tweetUrl).toMatch(new RegExp(`/x/i/status/${tweet?.id}$`));
    expect(await (await fetch(tweetUrl)).text()).toContain('BONK: +50.0%');
    expect(tweet?.mediaIds).toHaveLength(1);
    expect(await readMedium(tweet?.mediaIds[0] ?? '')).toEqual(image);
  });

  it.each([['a'.repeat(280)], ['é'.repeat(280)], [` ${'a'.repeat(280)}\n`]])('takes 280 characters: %#', async (text) => {
    await allow();
    await readAnswer<TwitterPostAnswer>(share(text));
  });

  it('passes on what X itself refuses, in X’s words', async () => {
    await allow();
    await readAnswer(share('once'));
    const { message } = await expectRefusal(share('once'), 'shares.rejected_by_x');
    expect(message).toBe('Failed to post tweet: X refused it. You are not allowed to create a Tweet with duplicate content.');
    // 280 of ours weigh 560 on X.
    expect((await expectRefusal(share('日'.repeat(280)), 'shares.rejected_by_x')).message).toContain('too long');
    expect(await tweetsOf(caller.handle)).toHaveLength(1);
  });
});

describe('a share is refused before anything leaves for X,', () => {
  beforeEach(allow);

  it('for who is not signed in', async () => {
    const { message, error } = await expectRefusal(app.request('/api/twitter-post', { method: 'POST', body: { text: 'x', imageDataUrl: toDataUrl(image) } }), 'auth.required');
    expect([message, error.message]).toEqual(['Please sign in with Twitter to post tweets', 'Please sign in with Twitter to post tweets']);
  });

  it('for who is no caller', async () => {
    const reader = await app.signIn('reader');
    await expectNothingPosted({ text: 'x', imageDataUrl: toDataUrl(image) }, 'users.not_a_caller', reader);
  });

  it.each(['', ' ', '\n\t ', '\u200B\u2060 \u202E'])('without text: %j', async (text) => {
    const { message } = await expectNothingPosted({ text, imageDataUrl: toDataUrl(image) }, 'shares.text_empty');
    expect(message).toBe('Your tweet needs some text content');
  });

  it('with more than 280 characters', async () => {
    for (const text of ['a'.repeat(281), '🪁'.repeat(281)]) await expectNothingPosted({ text, imageDataUrl: toDataUrl(image) }, 'shares.text_too_long');
  });

  const edit = (change: (bytes: Uint8Array, view: DataView) => void) => {
    const bytes = image.slice();
    change(bytes, new DataView(bytes.buffer));
    return toDataUrl(bytes);
  };

  it('with an image that is none of ours', async () => {
    const base64 = toDataUrl(image).replace(/^.*,/, '');
    const images = {
      nothing: '',
      'an address': 'https://evil.example/share.png',
      'another type': `data:image/jpeg;base64,${base64}`,
      'an SVG': 'data:image/svg+xml;base64,PHN2Zy8+',
      'no base64': 'data:image/png;base64,***',
      'loose base64': `data:image/png;base64,${base64.slice(0, 80)}\n${base64.slice(80)}`,
      'an empty file': 'data:image/png;base64,',
      'only a signature': toDataUrl(image.slice(0, 8)),
      'a cut header': toDataUrl(image.slice(0, 32)),
      'another signature': edit((bytes) => (bytes[0] = 0x88)),
      'another first chunk': edit((bytes) => (bytes[12] = 0x4a)),
      'a wrong header length': edit((_, view) => view.setUint32(8, 12)),
      'another width': edit((_, view) => view.setUint32(16, 1199)),
      'another height': edit((_, view) => view.setUint32(20, 676)),
      'width and height swapped': edit((_, view) => (view.setUint32(16, 675), view.setUint32(20, 1200))),
    };
    for (const [name, imageDataUrl] of Object.entries(images)) {
      const { message } = await expectNothingPosted({ text: name, imageDataUrl }, 'shares.image_invalid');
      expect(message).toBe('The image must be a PNG of 1200×675 pixels and at most 5 MB.');
    }
  });

  it('with an image over 5 MB; one of exactly 5 MB goes through', async () => {
    const padded = (length: number) => {
      const bytes = new Uint8Array(length);
      bytes.set(image);
      return toDataUrl(bytes);
    };
    await expectNothingPosted({ text: 'x', imageDataUrl: padded(SHARE_IMAGE_MAX_BYTES + 1) }, 'shares.image_invalid');
    await readAnswer(post({ text: 'x', imageDataUrl: padded(SHARE_IMAGE_MAX_BYTES) }));
  });

  it('with a body over its own limit, declared or streamed, which other routes do not have', async () => {
    const body = { text: 'x', imageDataUrl: 'x'.repeat(MAX_SHARE_BODY_BYTES) };
    for (const headers of [{}, { 'Transfer-Encoding': 'chunked' }]) {
      await expectRefusal(app.request('/api/twitter-post', { method: 'POST', cookie: caller.cookie, body, headers }), 'request.too_large');
    }
    await expectRefusal(app.request('/api/twitter-post/', { method: 'POST', cookie: caller.cookie, body: { text: 'x'.repeat(70_000) } }), 'request.too_large');
  });

  it('that another site starts', async () => {
    await expectRefusal(app.request('/api/twitter-post', { method: 'POST', cookie: caller.cookie, body: { text: 'x', imageDataUrl: toDataUrl(image) }, headers: { Origin: 'https://evil.example' } }), 'request.cross_site');
    expect(await tweetsOf(caller.handle)).toEqual([]);
  });
});

describe('X taking no more', () => {
  beforeEach(allow);
  afterEach(() => vi.restoreAllMocks());

  it.each(['media/upload', '2/tweets'])('at %s answers 429 with when to come back, and nothing is posted', async (path) => {
    await control('POST', '/faults', { service: 'x', path, status: 429, count: 1 });
    const answer = await share();
    expect(answer.headers.get('Retry-After')).toBe('900');
    expect((await expectRefusal(answer, 'shares.rate_limited')).message).toBe('Failed to post tweet: X takes no more posts for now. Nothing was posted; please try again in 15 minutes.');
    expect(await tweetsOf(caller.handle)).toEqual([]);
    await readAnswer(share());
  });

  it.each([
    [(second: number) => String(second + 61), '61', '2 minutes.'],
    [(second: number) => String(second - 5), '1', 'a minute.'],
    [() => 'soon', '900', '15 minutes.'],
  ])('until a moment that it names %#', async (resetAt, retryAfter, words) => {
    const headers = { 'x-rate-limit-reset': resetAt(Math.floor(app.clock.now() / SECOND_MS)) };
    interceptX('/2/tweets', async () => new Response('{}', { status: 429, headers }));
    const answer = await share();
    expect(answer.headers.get('Retry-After')).toBe(retryAfter);
    expect((await expectRefusal(answer, 'shares.rate_limited')).message.endsWith(words)).toBe(true);
  });
});

describe('X being down', () => {
  beforeEach(allow);

  it.each([{ status: 503 }, { drop: true }])('at the upload answers 502, and nothing is posted: %j', async (failure) => {
    await control('POST', '/faults', { service: 'x', path: 'media/upload', ...failure, count: 1 });
    const { message } = await expectNothingPosted({ text: 'x', imageDataUrl: toDataUrl(image) }, 'shares.x_unavailable');
    expect(message).toMatch(/^Failed to post tweet/);
    await readAnswer(share());
  });

  it.each([{ status: 503 }, { drop: true }])('at the tweet says that it is not known: %j', async (failure) => {
    await control('POST', '/faults', { service: 'x', path: '2/tweets', ...failure, count: 1 });
    const { message } = await expectRefusal(share(), 'shares.unconfirmed');
    expect(message).toMatch(/^Failed to post tweet/);
  });
});
