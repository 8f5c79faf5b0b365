import { beforeEach, expect, it } from 'vitest';
import { MINUTE_MS } from '#schema/constants/time.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import { readResponse } from '#test/responses.ts';
import { createCaller, endCall, makeCall, MINTS } from '#test/people/callers.ts';
import { query } from '#test/database/database.ts';
import { createTestApp, type Person, type TestApp } from '#test/test-app.ts';

let app: TestApp;
let caller: Person;

beforeEach(async () => {
  app = await createTestApp();
  caller = await createCaller(app, 'caller');
});

/** Time of the peak: at the entry, when the cron saw a higher price, or at the end. */
type PeakTime = 'called' | 'raised' | 'ended';

it.each<[entry: number, peak: string | null, end: number, price: string, at: PeakTime]>([
  [2, null, 3, '3', 'ended'],
  [2, null, 1, '2', 'called'],
  [2, '4', 3, '4', 'raised'],
  [2, '4', 5, '5', 'ended'],
  // These pairs would compare wrongly as strings: 9 would be above 10, and 0.00000009 above 0.0000001.
  [2, '9', 10, '10', 'ended'],
  [0.00000005, '0.0000001', 0.00000009, '0.0000001', 'raised'],
])(
  'an ended call with entry price %s, highest seen price %s and end price %s has the peak %s',
  async (entry, peak, end, price, at) => {
    const call = await makeCall({ caller, mint: MINTS.WIF, price: entry });
    expect(call).not.toHaveProperty('peak');
    await app.advance(MINUTE_MS);
    const raised = new Date(app.clock.now()).toISOString();
    if (peak !== null) {
      await query(
        'UPDATE calls SET peak_price = ?, peak_at = ? WHERE id = ?',
        peak,
        app.clock.now(),
        call.id,
      );
    }
    await app.advance(MINUTE_MS);
    const ended = await endCall({ caller, call, price: end });
    const times: Record<PeakTime, string | undefined> = {
      called: call.callTimestamp,
      raised,
      ended: ended.endTimestamp,
    };
    expect(ended.peak).toEqual({ price, at: times[at] });
    expect((await readResponse<TokenCall[]>(app.request('/api/token-calls/ended')))[0]?.peak).toEqual(
      ended.peak,
    );
  },
);

it('eight simultaneous requests end a call once, and its peak is the entry if the end has the same price', async () => {
  const call = await makeCall({ caller, mint: MINTS.WIF, price: 2 });
  await app.advance(MINUTE_MS);
  const responses = await Promise.all(
    Array.from({ length: 8 }, () => caller.patch(`/api/token-calls/${call.id}/end`)),
  );
  const [ended, ...others] = responses.filter(({ status }) => status === 200);
  const { peak } = await readResponse<TokenCall>(ended ?? Promise.reject(new Error('No call ended')));
  expect(peak).toEqual({ price: '2', at: call.callTimestamp });
  expect(others).toEqual([]);
  const figures = await query('SELECT total_calls, ended_calls FROM callers');
  expect(figures).toEqual([{ total_calls: 1, ended_calls: 1 }]);
});
