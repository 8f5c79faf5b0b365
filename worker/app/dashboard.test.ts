import { expect, it } from 'vitest';
import type { Dashboard } from '#schema/contracts/dashboard.ts';
import { dashboardPaths, type DashboardView } from '#schema/rules/people/dashboard-paths.ts';
import { createCaller, makeCall, MINTS } from '#test/people/callers.ts';
import { expectRefusal, readResponse } from '#test/responses.ts';
import { createTestApp, type Person } from '#test/test-app.ts';

const read = async (person: Person, view: DashboardView) =>
  (await readResponse<Dashboard>(person.get(`/api/dashboard?view=${view}`))).parts;

it('the dashboard has the responses of its routes, with their ETags', async () => {
  const app = await createTestApp();
  const caller = await createCaller(app, 'caller');
  await makeCall({ caller, mint: MINTS.BONK, price: 1 });
  for (const view of ['subscriber', 'caller'] as const) {
    const parts = await read(caller, view);
    expect(Object.keys(parts)).toEqual(dashboardPaths(caller.id, view));
    for (const [path, part] of Object.entries(parts)) {
      const response = await caller.get(path);
      const { headers } = response;
      expect(part, path).toEqual({
        etag: headers.get('ETag'),
        link: headers.get('Link'),
        body: await response.json(),
      });
    }
  }
});

it('the dashboard leaves out what its routes refuse to somebody who is no caller', async () => {
  const app = await createTestApp();
  const follower = await app.signIn('follower');
  const parts = await read(follower, 'caller');
  for (const path of dashboardPaths(follower.id, 'caller')) {
    expect([path, path in parts]).toEqual([path, (await follower.get(path)).ok]);
  }
  expect(Object.keys(parts)).not.toContain(`/api/callers/${follower.id}`);
  await expectRefusal(app.request('/api/dashboard?view=caller'), 'auth.required');
});

it('the dashboard responds 304 while nothing has changed', async () => {
  const app = await createTestApp();
  const { cookie } = await app.signIn('follower');
  const path = '/api/dashboard?view=subscriber';
  const etag = (await app.request(path, { cookie })).headers.get('ETag') ?? '';
  expect((await app.request(path, { cookie, headers: { 'If-None-Match': etag } })).status).toBe(304);
});
