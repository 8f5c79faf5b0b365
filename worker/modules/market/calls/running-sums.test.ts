import { beforeEach, expect, it } from 'vitest';
import { MIN_COUNTED_HOLD_MS } from '#schema/constants/market.ts';
import { DAY_MS } from '#schema/constants/time.ts';
import type { CallerProfile } from '#schema/contracts/callers.ts';
import { readResponse } from '../../../test-support/responses.ts';
import { createCaller, endCall, makeCall, MINTS } from '../../../test-support/people/callers.ts';
import { countRows } from '../../../test-support/database/count-rows.ts';
import { runScript } from '../../../test-support/database/run-script.ts';
import { createTestApp, testEnv, type Person, type TestApp } from '../../../test-support/test-app.ts';

let app: TestApp;
let rowsRead = 0;
let caller: Person;

beforeEach(async () => {
  const DB = countRows(testEnv.DB, ({ rows }) => {
    rowsRead += rows;
  });
  app = await createTestApp({ bindings: { DB } });
  caller = await createCaller(app, 'caller');
});

const insertEnded = (count: number) => {
  const endedAt = `${app.clock.now() - 2 * DAY_MS} - i * 1000`;
  return runScript(
    `INSERT INTO calls (id, caller_id, token_mint, token_symbol, token_name, entry_price, called_at, end_price, ended_at,
       change_percent)
     SELECT 'old-' || i, '${caller.id}', 'old-' || i, 'OLD', 'Old', '3', ${endedAt}, '3.3', ${endedAt} + 999,
       (3.3 - 3) / 3 * 100 FROM n;`,
    { count },
  );
};

it('a caller’s running sums don’t drift after 20,000 calls', async () => {
  await insertEnded(20_000);
  const call = await makeCall({ caller, mint: MINTS.WIF, price: 3 });
  await app.advance(MIN_COUNTED_HOLD_MS);
  await endCall({ caller, call, price: 3.3 });
  const profile = await readResponse<CallerProfile>(app.request('/api/callers/caller'));
  expect(profile).toMatchObject({ totalCalls: 20_001, winRate: 100, avgReturn: 10 });
  expect(await app.services.statisticsRepair.repair()).toBe(0);
});
