import { beforeEach, expect, it, vi } from 'vitest';
import { stubApi } from '#web/testing/fake-api.ts';
import { client, fetchDashboard, forgetDashboard, read, send } from './client.ts';

const TOGETHER = 'GET /api/dashboard';
const ALONE = 'GET /api/subscriptions/my';
const part = { body: ['together'], link: '</api/list?cursor=2>; rel="next"' };
const parts = { '/api/subscriptions/my': part };
const change = async (): Promise<void> => {
  await read(client.api.user['x-posting'].$delete());
};
const ask = () => read(client.api.subscriptions.my.$get());
const sent = (calls: ReturnType<typeof stubApi>) => calls.map(({ route }) => route);

beforeEach(() => {
  vi.useFakeTimers();
  forgetDashboard();
});

it('a read gets its response from the dashboard’s request, but only once', async () => {
  const { promise, resolve } = Promise.withResolvers<typeof parts>();
  const calls = stubApi({ [TOGETHER]: () => promise, [ALONE]: ['alone'] });
  fetchDashboard();
  const response = send(client.api.subscriptions.my.$get());
  resolve(parts);
  expect((await response).headers.get('Link')).toBe(part.link);
  expect(await (await response).json()).toEqual(['together']);
  expect(await ask()).toEqual(['alone']);
  expect(sent(calls)).toEqual([TOGETHER, ALONE]);
});

it.each([
  ['the dashboard’s request fails', new Response('', { status: 500 }), async () => {}],
  ['its part is missing', {}, async () => {}],
  ['the dashboard’s request is old', parts, async () => void (await vi.advanceTimersByTimeAsync(5_000))],
  ['something was changed since', parts, change],
])('a read is sent alone if %s', async (_reason, response, pass) => {
  stubApi({ [TOGETHER]: response, [ALONE]: ['alone'], 'DELETE /api/user/x-posting': {} });
  fetchDashboard();
  await pass();
  expect(await ask()).toEqual(['alone']);
});
