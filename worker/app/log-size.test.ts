import { beforeEach, expect, it } from 'vitest';
import { createCaller, endCall, makeCall, MINTS } from '#test/people/callers.ts';
import { query } from '#test/database/database.ts';
import { interceptDatabase } from '#test/database/intercept-database.ts';
import { appendEvents, eventOf } from '#test/log.ts';
import { createTestApp, testEnv, type Person, type TestApp } from '#test/test-app.ts';

/** Matches the statements that read the data of the responses. */
const DATA = /CROSS JOIN users u|JOIN callers c ON c.caller_id = u.id ORDER|FROM calls k JOIN/;
let app: TestApp;
let caller: Person;

beforeEach(async () => {
  app = await createTestApp();
  caller = await createCaller(app, 'caller');
  await endCall({ caller, call: await makeCall({ caller, mint: MINTS.WIF, price: 2 }), price: 3 });
});

const pathsOf = ({ id, handle }: Person) => [
  '/api/callers',
  `/api/callers/${handle}`,
  `/api/callers/${id}/statistics`,
  `/api/token-calls/caller/${id}`,
];
const sizeIn = (response: Response) => Number(response.headers.get('Log-Size'));
const sizeOfLog = async () =>
  (await query<{ size: number }>('SELECT MAX(id) AS size FROM log_entries'))[0]?.size;

it('responses about callers have the size of the log in the Log-Size header', async () => {
  for (let round = 0; round < 2; round++) {
    for (const path of pathsOf(caller)) {
      expect([path, sizeIn(await app.request(path))]).toEqual([path, await sizeOfLog()]);
    }
    await appendEvents(eventOf(`call-${round}`));
  }
});

it('an empty directory page and an unchanged profile (304) have the size of the log in the Log-Size header', async () => {
  expect(sizeIn(await app.request('/api/callers?search=nobody'))).toBe(await sizeOfLog());
  const path = `/api/callers/${caller.id}`;
  const tag = (await app.request(path)).headers.get('ETag') ?? '';
  await appendEvents(eventOf('other'));
  const unchanged = await app.request(path, { headers: { 'If-None-Match': tag } });
  expect([unchanged.status, sizeIn(unchanged)]).toEqual([304, await sizeOfLog()]);
});

it('the Log-Size header doesn’t count entries that were added after the response’s data was read', async () => {
  let isAdding = true;
  const DB = interceptDatabase(testEnv.DB, async ({ sql }, run) => {
    const result = await run();
    if (isAdding && DATA.test(sql.replace(/\s+/g, ' '))) {
      isAdding = false;
      await appendEvents(eventOf(crypto.randomUUID()));
    }
    return result;
  });
  const racing = await createTestApp({ bindings: { DB } });
  for (const path of pathsOf(caller)) {
    const before = await sizeOfLog();
    isAdding = true;
    expect([path, sizeIn(await racing.request(path))]).toEqual([path, before]);
    expect([path, isAdding]).toEqual([path, false]);
  }
});
