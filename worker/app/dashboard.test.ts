import { expect, it, vi } from 'vitest';
import type { Dashboard } from '#schema/contracts/dashboard.ts';
import { createCaller, makeCall, MINTS } from '#test/people/callers.ts';
import { expectRefusal, readResponse } from '#test/responses.ts';
import { createTestApp, type Person } from '#test/test-app.ts';

const PATH = '/api/dashboard';

/** Compares each part with the response of its own route, and returns their paths. */
async function expectOwnResponses(person: Person): Promise<string[]> {
  const parts = await readResponse<Dashboard>(person.get(PATH));
  for (const [path, part] of Object.entries(parts)) {
    const response = await person.get(path);
    expect(part, path).toEqual({ body: await response.json(), link: response.headers.get('Link') });
  }
  return Object.keys(parts);
}

it('the dashboard has the responses of the routes that its viewer may use', async () => {
  const app = await createTestApp();
  const caller = await createCaller(app, 'caller');
  await makeCall({ caller, mint: MINTS.BONK, price: 1 });
  const ofFollower = ['/api/subscriptions/my', '/api/subscriptions/calls'];
  expect(await expectOwnResponses(caller)).toEqual([
    ...ofFollower,
    `/api/callers/${caller.id}`,
    `/api/token-calls/caller/${caller.id}/active`,
    `/api/token-calls/caller/${caller.id}/history`,
    '/api/payments/subscribers?limit=6&show=running',
    '/api/user/telegram-chats',
    '/api/user/wallets',
  ]);
  expect(await expectOwnResponses(await app.signIn('follower'))).toEqual(ofFollower);
  await expectRefusal(app.request(PATH), 'auth.required');
});

it('the dashboard leaves out a part whose route fails, and responds 304 while nothing has changed', async () => {
  const app = await createTestApp();
  const follower = await app.signIn('follower');
  const { cookie } = follower;
  const etag = (await follower.get(PATH)).headers.get('ETag') ?? '';
  expect((await app.request(PATH, { cookie, headers: { 'If-None-Match': etag } })).status).toBe(304);
  vi.spyOn(app.services.subscriptions, 'listMine').mockRejectedValue(new Error('down'));
  expect(Object.keys(await readResponse<Dashboard>(follower.get(PATH)))).toEqual([
    '/api/subscriptions/calls',
  ]);
});
