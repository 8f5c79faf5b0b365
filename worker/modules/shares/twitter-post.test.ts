import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MAX_SHARE_BODY_BYTES, SECOND_MS, SHARE_IMAGE_MAX_BYTES } from '#schema/constants.ts';
import type { ErrorBody, ErrorCode } from '#schema/contracts/errors.ts';
import type { TwitterPostAnswer } from '#schema/contracts/shares.ts';
import { expectRefusal, expectRefusalWithoutTrace, readAnswer } from '../../test-support/answers.ts';
import { createCaller } from '../../test-support/callers.ts';
import { interceptX } from '../../test-support/intercept-x.ts';
import { deflate, encodeChunks, encodeHeader, joinBytes } from '../../test-support/png.ts';
import {
  answerConsent,
  makeEndedCall,
  readImage,
  readMedium,
  requestsToX,
  toDataUrl,
  tweetsOf,
} from '../../test-support/shares.ts';
import { control, createTestApp, testEnv, type Person, type TestApp } from '../../test-support/test-app.ts';

/** X's page to post on by hand; in production https://x.com/intent/post. */
const COMPOSE_URL = `${testEnv.X_API_URL}/intent/post`;

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

/** Asserts that a refusal wrote nothing here and that X was asked nothing. */
async function expectNothingPosted(body: object, code: ErrorCode, person = caller) {
  const answers: ErrorBody[] = [];
  const requests = await requestsToX(
    async () => void answers.push(await expectRefusalWithoutTrace(() => post(body, person), code)),
  );
  expect(requests).toEqual([]);
  return answers[0] ?? expect.unreachable();
}

describe('a share', () => {
  it('[4.36] posts the trimmed text with the very image, and answers where it stands', async () => {
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

  it.each([
    ['a'.repeat(280)],
    ['é'.repeat(280)],
    [` ${'a'.repeat(280)}\n`],
    ['日'.repeat(140)],
    ['👩🏽‍❤️‍💋‍👨🏿'.repeat(28)],
    [`${'a'.repeat(256)} https://x.example/`],
  ])('takes 280 characters, and as many as X counts: %#', async (text) => {
    await allow();
    await readAnswer<TwitterPostAnswer>(share(text));
  });

  it('passes on what X itself refuses, in X’s words', async () => {
    await allow();
    await readAnswer(share('once'));
    const { message, error } = await expectRefusal(share('once'), 'shares.rejected_by_x');
    expect(error['composeUrl']).toBe(COMPOSE_URL);
    expect(message).toBe(
      'Failed to post tweet: X refused it. You are not allowed to create a Tweet with duplicate content.',
    );
    expect(await tweetsOf(caller.handle)).toHaveLength(1);
  });
});

describe('a share is refused before anything leaves for X,', () => {
  beforeEach(allow);

  it('[6.22, 8.22] for who is not signed in', async () => {
    const { message, error } = await expectRefusal(
      app.request('/api/twitter-post', {
        method: 'POST',
        body: { text: 'x', imageDataUrl: toDataUrl(image) },
      }),
      'auth.required',
    );
    expect([message, error.message]).toEqual([
      'Please sign in with Twitter to post tweets',
      'Please sign in with Twitter to post tweets',
    ]);
  });

  it('[6.22] for who is no caller', async () => {
    const reader = await app.signIn('reader');
    await expectNothingPosted({ text: 'x', imageDataUrl: toDataUrl(image) }, 'users.not_a_caller', reader);
  });

  it.each(['', ' ', '\n\t ', '\u200B\u2060 \u202E'])('[5.16] without text: %j', async (text) => {
    const { message } = await expectNothingPosted(
      { text, imageDataUrl: toDataUrl(image) },
      'shares.text_empty',
    );
    expect(message).toBe('Your tweet needs some text content');
  });

  it('[5.17] with more than 280 characters', async () => {
    for (const text of ['a'.repeat(281), '🪁'.repeat(281)]) {
      const { message } = await expectNothingPosted(
        { text, imageDataUrl: toDataUrl(image) },
        'shares.text_too_long',
      );
      expect(message).toBe('A tweet can have at most 280 characters. Shorten it.');
    }
  });

  it('with a whole book, which nobody weighs', async () => {
    const weighing = vi.spyOn(String.prototype, 'normalize');
    const { message } = await expectNothingPosted(
      { text: `${'é'.repeat(61)}.`.repeat(20_000), imageDataUrl: toDataUrl(image) },
      'shares.text_too_long',
    );
    expect(message).toBe('A tweet can have at most 280 characters. Shorten it.');
    expect(weighing).not.toHaveBeenCalled();
    vi.restoreAllMocks();
  });

  it.each([
    ['日'.repeat(141), 282],
    ['🪁'.repeat(280), 560],
    [`${'a'.repeat(257)} https://x.example/`, 281],
  ])('with more than X counts: %s', async (text, weight) => {
    const { message } = await expectNothingPosted(
      { text, imageDataUrl: toDataUrl(image) },
      'shares.text_too_long',
    );
    expect(message).toBe(
      `As X counts, this is ${weight} characters of at most 280: a link counts 23, an emoji 2, and so does each character of Chinese, Japanese or Korean.`,
    );
  });

  /** Asserts that an image is refused, with this reason. */
  const expectImageRefused = async (imageDataUrl: string, reason: string) => {
    const { error, message } = await expectNothingPosted({ text: 'x', imageDataUrl }, 'shares.image_invalid');
    expect([error['field'], error['reason']]).toEqual(['imageDataUrl', reason]);
    expect(message).toMatch(/^The image must be a PNG of 1200×675 pixels and at most 5 MB\. [A-Z].*\.$/);
  };
  const edit = (change: (bytes: Uint8Array, view: DataView) => void) => {
    const bytes = image.slice();
    change(bytes, new DataView(bytes.buffer));
    return toDataUrl(bytes);
  };

  it('[9.14] with an image that is none of ours', async () => {
    const base64 = toDataUrl(image).replace(/^.*,/, '');
    const sized = async (width: number, height: number) =>
      toDataUrl(
        encodeChunks([
          ['IHDR', encodeHeader({ width, height })],
          ['IDAT', await deflate(new Uint8Array((width + 1) * height))],
          ['IEND', new Uint8Array(0)],
        ]),
      );
    const images = {
      nothing: ['', 'not_png_data'],
      'an address': ['https://evil.example/share.png', 'not_png_data'],
      'another type': [`data:image/jpeg;base64,${base64}`, 'not_png_data'],
      'an SVG': ['data:image/svg+xml;base64,PHN2Zy8+', 'not_png_data'],
      'no base64': ['data:image/png;base64,***', 'not_png_data'],
      'base64 with bits that say nothing': [
        `data:image/png;base64,${Buffer.from(image.slice(0, 100)).toString('base64').replace('==', '').slice(0, -1)}B==`,
        'not_png_data',
      ],
      'loose base64': [`data:image/png;base64,${base64.slice(0, 80)}\n${base64.slice(80)}`, 'not_png_data'],
      'an empty file': ['data:image/png;base64,', 'not_png'],
      'a JPEG': [toDataUrl(new Uint8Array([0xff, 0xd8, 0xff, 0xe0])), 'not_png'],
      'another signature': [edit((bytes) => (bytes[0] = 0x88)), 'not_png'],
      'only a signature': [toDataUrl(image.slice(0, 8)), 'cut_off'],
      'a cut header': [toDataUrl(image.slice(0, 32)), 'cut_off'],
      'half an image': [toDataUrl(image.slice(0, image.length / 2)), 'cut_off'],
      'all but its last byte': [toDataUrl(image.slice(0, -1)), 'cut_off'],
      'another first chunk': [edit((bytes) => (bytes[12] = 0x4a)), 'damaged'],
      'another width, which its checksum betrays': [edit((_, view) => view.setUint32(16, 1199)), 'damaged'],
      'another pixel': [edit((bytes) => (bytes[bytes.length - 100] = (bytes.at(-100) ?? 0) ^ 1)), 'damaged'],
      'a byte too many': [toDataUrl(joinBytes([image, new Uint8Array(1)])), 'trailing_bytes'],
      'two of them': [toDataUrl(joinBytes([image, image])), 'trailing_bytes'],
      'one too narrow': [await sized(1199, 675), 'wrong_size'],
      'one too high': [await sized(1200, 676), 'wrong_size'],
      'one on its side': [await sized(675, 1200), 'wrong_size'],
      'one with words that come to 30 MB': [
        toDataUrl(
          joinBytes([
            image.slice(0, 33),
            encodeChunks([
              [
                'zTXt',
                joinBytes([new TextEncoder().encode('Title\0\0'), await deflate(new Uint8Array(30_000_000))]),
              ],
            ]).slice(8),
            image.slice(33),
          ]),
        ),
        'parts_beside',
      ],
      'a moving one': [
        toDataUrl(
          joinBytes([
            image.slice(0, 33),
            encodeChunks([['acTL', new Uint8Array(8)]]).slice(8),
            image.slice(33),
          ]),
        ),
        'animated',
      ],
    } as const;
    for (const [imageDataUrl, reason] of Object.values(images)) {
      await expectImageRefused(imageDataUrl, reason);
    }
  });

  it('with ours cut off or changed anywhere', async () => {
    const places = fc.sample(fc.nat(image.length - 1), 12);
    for (const at of places) {
      await expectNothingPosted(
        { text: 'x', imageDataUrl: toDataUrl(image.slice(0, at)) },
        'shares.image_invalid',
      );
      await expectNothingPosted(
        { text: 'x', imageDataUrl: edit((bytes) => (bytes[at] = (bytes[at] ?? 0) ^ (1 << (at & 7)))) },
        'shares.image_invalid',
      );
    }
  });

  it('with an image over 5 MB; one of exactly 5 MB goes through', async () => {
    // Words of any length may stand in front of the end.
    const padded = (length: number) => {
      const words = encodeChunks([['tEXt', new Uint8Array(length - image.length - 12)]]).slice(8);
      return toDataUrl(joinBytes([image.slice(0, -12), words, image.slice(-12)]));
    };
    await expectImageRefused(padded(SHARE_IMAGE_MAX_BYTES + 1), 'too_large');
    await readAnswer(post({ text: 'x', imageDataUrl: padded(SHARE_IMAGE_MAX_BYTES) }));
  });

  it('with a body over its own limit, declared or streamed, which other routes do not have', async () => {
    const body = { text: 'x', imageDataUrl: 'x'.repeat(MAX_SHARE_BODY_BYTES) };
    for (const headers of [{}, { 'Transfer-Encoding': 'chunked' }]) {
      const requests = await requestsToX(() =>
        expectRefusal(
          app.request('/api/twitter-post', { method: 'POST', cookie: caller.cookie, body, headers }),
          'request.too_large',
        ),
      );
      expect(requests).toEqual([]);
    }
    await expectRefusal(
      app.request('/api/twitter-post/', {
        method: 'POST',
        cookie: caller.cookie,
        body: { text: 'x'.repeat(70_000) },
      }),
      'request.too_large',
    );
  });

  it('that another site starts', async () => {
    await expectRefusal(
      app.request('/api/twitter-post', {
        method: 'POST',
        cookie: caller.cookie,
        body: { text: 'x', imageDataUrl: toDataUrl(image) },
        headers: { Origin: 'https://evil.example' },
      }),
      'request.cross_site',
    );
    expect(await tweetsOf(caller.handle)).toEqual([]);
  });
});

describe('X taking no more', () => {
  beforeEach(allow);
  afterEach(() => vi.restoreAllMocks());

  it.each(['media/upload', '2/tweets'])(
    'at %s answers 429 with when to come back, and nothing is posted',
    async (path) => {
      await control('POST', '/faults', { service: 'x', path, status: 429, count: 1 });
      const answer = await share();
      expect(answer.headers.get('Retry-After')).toBe('900');
      const { message, error } = await expectRefusal(answer, 'shares.rate_limited');
      expect(message).toBe(
        'Failed to post tweet: X takes no more posts for now. Nothing was posted; please try again in 15 minutes.',
      );
      expect(error['composeUrl']).toBe(COMPOSE_URL);
      expect(await tweetsOf(caller.handle)).toEqual([]);
      await readAnswer(share());
    },
  );

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

  it.each([{ status: 503 }, { drop: true }])(
    'at the upload answers 502, and nothing is posted: %j',
    async (failure) => {
      await control('POST', '/faults', { service: 'x', path: 'media/upload', ...failure, count: 1 });
      const { message, error } = await expectRefusalWithoutTrace(() => share(), 'shares.x_unavailable');
      expect(message).toMatch(/^Failed to post tweet/);
      expect(error['composeUrl']).toBe(COMPOSE_URL);
      expect(await tweetsOf(caller.handle)).toEqual([]);
      await readAnswer(share());
    },
  );

  it.each([{ status: 503 }, { drop: true }])(
    'at the tweet says that it is not known: %j',
    async (failure) => {
      await control('POST', '/faults', { service: 'x', path: '2/tweets', ...failure, count: 1 });
      const { message, error } = await expectRefusal(share(), 'shares.unconfirmed');
      expect(message).toMatch(/^Failed to post tweet/);
      // Whoever posts by hand what may stand there already posts it twice.
      expect(error).not.toHaveProperty('composeUrl');
    },
  );
});
