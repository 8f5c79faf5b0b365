import { Hono } from 'hono';
import { expect, it } from 'vitest';
import { MAX_SHARE_BODY_BYTES } from '#schema/constants/public.ts';
import type { AppEnv } from './context.ts';
import { handleError } from './errors.ts';
import { limitBody, MAX_DISCARDED_BYTES } from './limit-body.ts';
import { route } from './route.ts';

const CHUNK_BYTES = 64 * 1024;
const SHARE_PATH = '/api/twitter-post';

/** The first route returns 401 without reading the body. The second one returns the body's length. */
const app = new Hono<AppEnv>()
  .use(limitBody)
  .post(SHARE_PATH, route({ limit: 'costly', maxBodyBytes: MAX_SHARE_BODY_BYTES }), (c) =>
    c.text('Not signed in', 401),
  )
  .post('/api/read', async (c) => c.text(String((await c.req.text()).length)));
app.onError(handleError);

interface SentBody {
  readonly path?: string;
  readonly bytes: number;
  readonly declared?: number | null | undefined;
}

/** Sends a body of `bytes` bytes. Reads the response only after the last byte, like some clients. */
async function send({ path = SHARE_PATH, bytes, declared = bytes }: SentBody) {
  let left = bytes;
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const length = Math.min(left, CHUNK_BYTES);
        left -= length;
        if (length > 0) controller.enqueue(new Uint8Array(length).fill(120));
        if (left === 0) controller.close();
      },
      cancel() {
        isCancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  const headers: Record<string, string> =
    declared === null ? { 'Transfer-Encoding': 'chunked' } : { 'Content-Length': String(declared) };
  const response = await app.request(path, { method: 'POST', body, headers });
  return { status: response.status, text: await response.text(), left, isCancelled };
}

it.each([MAX_SHARE_BODY_BYTES + 1, MAX_SHARE_BODY_BYTES + 100 * 1024, MAX_DISCARDED_BYTES])(
  'a body that is too large (%i bytes) is read to its end, so that the client receives the 413',
  async (bytes) => {
    expect(await send({ bytes })).toMatchObject({ status: 413, left: 0, isCancelled: false });
  },
);

it('a body is read to its end even if its route responds without reading it', async () => {
  expect(await send({ bytes: MAX_SHARE_BODY_BYTES })).toMatchObject({
    status: 401,
    left: 0,
    isCancelled: false,
  });
});

it('a body is cancelled after the maximum number of discarded bytes', async () => {
  const { status, left, isCancelled } = await send({ bytes: 1_000_000_000 });
  expect([status, isCancelled]).toEqual([413, true]);
  expect(1_000_000_000 - left).toBeLessThanOrEqual(MAX_DISCARDED_BYTES + 2 * CHUNK_BYTES);
});

it('a body within the limit reaches its route completely', async () => {
  for (const declared of [undefined, null]) {
    const response = await send({ path: '/api/read', bytes: 60_000, declared });
    expect(response).toMatchObject({ status: 200, text: '60000', left: 0 });
  }
});
