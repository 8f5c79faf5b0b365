import { expect, it } from 'vitest';
import { createAccessEnvironment } from '#test/access/access-environment.ts';
import { countRows } from '#test/database/count-rows.ts';
import { insertManyRows } from '#test/database/many-rows.ts';
import { MEASURED_COSTS, type Cost } from '#test/measured-costs.ts';
import { createTestApp, testEnv } from '#test/test-app.ts';
import { NO_LIMITS } from '#test/test-limits.ts';

/** Enough rows for full pages. */
const ROWS = 200;

it('each page, poll and page view costs as many read and written rows as docs/SCALE.md assumes', async () => {
  const environment = await createAccessEnvironment();
  await insertManyRows({ environment, count: ROWS });
  const cost = { read: 0, written: 0, queries: 0 };
  const DB = countRows(testEnv.DB, ({ rows, written }) => {
    cost.read += rows;
    cost.written += written;
    cost.queries += 1;
  });
  const app = await createTestApp({ bindings: { ...NO_LIMITS, DB } });
  const costOf = async (send: () => Response | Promise<Response>): Promise<Cost> => {
    const before = { ...cost };
    await (await send()).arrayBuffer();
    return {
      read: cost.read - before.read,
      written: cost.written - before.written,
      queries: cost.queries - before.queries,
    };
  };
  const body = { path: '/' };
  const { idle: _, bytesPerCall: __, followedPoll, ...assumed } = MEASURED_COSTS;
  expect({
    directoryPage: await costOf(() => app.request('/')),
    callerPage: await costOf(() => app.request(`/caller/${environment.owner.handle}`)),
    directoryPoll: await costOf(() => app.request('/api/callers')),
    followedPoll: await costOf(() => app.browser(environment.subscriber).get('/api/subscriptions/calls')),
    pageView: await costOf(() => app.request('/api/events/page-view', { method: 'POST', body })),
  }).toEqual({
    ...assumed,
    // Random ids decide about one row.
    followedPoll: {
      ...followedPoll,
      read: expect.toBeOneOf([followedPoll.read - 1, followedPoll.read]) as number,
    },
  });
});
