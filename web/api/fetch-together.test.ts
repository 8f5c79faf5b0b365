import { beforeEach, expect, it, vi } from 'vitest';
import { stubApi } from '#web/testing/fake-api.ts';
import { client, read, send } from './client.ts';
import { fetchTogether } from './fetch-together.ts';

const URL_OF_PART = '/api/subscriptions/my';
const part = { etag: 'W/"1"', link: '</api/list?cursor=2>; rel="next"', body: ['together'] };
const ask = () => read(client.api.subscriptions.my.$get());
const sent = (calls: ReturnType<typeof stubApi>) => calls.map(({ route }) => route);

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 }));

it('a request gets its response from the one that fetched it together with others, but only once', async () => {
  const calls = stubApi({ [`GET ${URL_OF_PART}`]: ['alone'] });
  const { promise, resolve } = Promise.withResolvers<{ parts: Record<string, typeof part> }>();
  fetchTogether([URL_OF_PART], () => promise);
  const response = send(client.api.subscriptions.my.$get());
  resolve({ parts: { [URL_OF_PART]: part } });
  expect((await response).headers.get('Link')).toBe(part.link);
  expect(await (await response).json()).toEqual(['together']);
  expect(sent(calls)).toEqual([]);
  expect(await ask()).toEqual(['alone']);
  expect(sent(calls)).toEqual([`GET ${URL_OF_PART}`]);
});

it('a request is sent alone after a change', async () => {
  const calls = stubApi({ [`GET ${URL_OF_PART}`]: ['alone'], 'DELETE /api/user/x-posting': {} });
  fetchTogether([URL_OF_PART], () => Promise.resolve({ parts: { [URL_OF_PART]: part } }));
  await read(client.api.user['x-posting'].$delete());
  expect(await ask()).toEqual(['alone']);
  expect(sent(calls)).toEqual(['DELETE /api/user/x-posting', `GET ${URL_OF_PART}`]);
});

it.each([
  ['the common request fails', [URL_OF_PART], () => Promise.reject(new Error('down')), 0],
  ['its route refused', [URL_OF_PART], () => Promise.resolve({ parts: {} }), 0],
  ['it isn’t part of the common one', [], () => Promise.resolve({ parts: { [URL_OF_PART]: part } }), 0],
  ['the common one is old', [URL_OF_PART], () => Promise.resolve({ parts: { [URL_OF_PART]: part } }), 5_001],
])('a request is sent alone if %s', async (_reason, urls, request, age) => {
  const calls = stubApi({ [`GET ${URL_OF_PART}`]: ['alone'] });
  fetchTogether(urls, request);
  vi.setSystemTime(Date.now() + age);
  expect(await ask()).toEqual(['alone']);
  expect(sent(calls)).toHaveLength(1);
});
