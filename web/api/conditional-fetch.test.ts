import { beforeEach, expect, it } from 'vitest';
import { fetchIfChanged } from './client.ts';

let tags: (string | null)[];
let url: string;
let count = 0;

beforeEach(() => {
  tags = [];
  count++;
  url = `/api/mine/${count}`;
});

const PRIVATE = { ETag: 'W/"1"', 'Cache-Control': 'private, no-store' };

function read(response: () => Response, path = url): Promise<Response> {
  return fetchIfChanged(path, { credentials: 'include' }, async (init) => {
    tags.push(new Headers(init.headers).get('If-None-Match'));
    return response();
  });
}

const first = () => new Response('first', { headers: PRIVATE });
const unchanged = () => new Response(null, { status: 304 });

it('a repeated request sends the last ETag and returns the stored response after a 304', async () => {
  const texts = [];
  for (const response of [first, unchanged, unchanged]) texts.push(await (await read(response)).text());
  expect(texts).toEqual(['first', 'first', 'first']);
  expect(tags).toEqual([null, 'W/"1"', 'W/"1"']);
});

it('a repeated request sends the ETag of the newest response', async () => {
  await read(first);
  const second = () => new Response('second', { headers: { ...PRIVATE, ETag: 'W/"2"' } });
  expect(await (await read(second)).text()).toBe('second');
  expect(await (await read(unchanged)).text()).toBe('second');
  expect(tags).toEqual([null, 'W/"1"', 'W/"2"']);
});

it('a repeated request sends no ETag after an error', async () => {
  await read(first);
  expect((await read(() => new Response('', { status: 403 }))).status).toBe(403);
  await read(first);
  expect(tags).toEqual([null, 'W/"1"', null]);
});

it('the client stores no ETag of a public response, which the browser caches', async () => {
  await read(() => new Response('list', { headers: { ...PRIVATE, 'Cache-Control': 'public, max-age=10' } }));
  await read(first);
  expect(tags).toEqual([null, null]);
});

it('the client forgets the oldest of more than fifty responses with an ETag', async () => {
  const paths = Array.from({ length: 51 }, (_, index) => `${url}/${index}`);
  for (const path of paths) await read(first, path);
  await read(first, paths[50]);
  await read(first, paths[0]);
  expect(tags.slice(-2)).toEqual(['W/"1"', null]);
});
