import { beforeEach, expect, it } from 'vitest';
import { MAX_SOL_PRICE_AGE_MS, WRAPPED_SOL_MINT } from '#schema/constants/money.ts';
import { DAY_MS, MINUTE_MS } from '#schema/constants/time.ts';
import type { CallerListItem, CallerProfile } from '#schema/contracts/callers.ts';
import { naiveAfterFeePercent, naiveSums } from '#schema/rules/calls/follower-return.test-model.ts';
import { query } from '#test/database/database.ts';
import { insertRows } from '#test/database/insert-rows.ts';
import { addDerivedRows } from '#test/derived-rows.ts';
import { createPaidCaller, endCall, makeCall, MINTS } from '#test/people/callers.ts';
import { setPrice } from '#test/price-sources.ts';
import { readResponse } from '#test/responses.ts';
import { createTestApp, type Person, type TestApp } from '#test/test-app.ts';

const SOL_PRICE = 150;
const OPEN = 'open';
let app: TestApp;
let caller: Person;

beforeEach(async () => {
  app = await createTestApp();
  ({ caller } = await createPaidCaller(app, { handle: 'amara_calls', fee: '0.5' }));
  await insertRows(
    'calls',
    Array.from({ length: 24 }, (_, index) => {
      const ppm = index % 4 === 0 ? -100_000 : 200_000;
      return {
        id: `past-${index}`,
        caller_id: caller.id,
        token_mint: `mint-${index}`,
        called_at: app.clock.now() - (60 - 2 * index) * DAY_MS,
        ended_at: app.clock.now() - (57 - 2 * index) * DAY_MS,
        end_price: '2',
        change_percent: 100,
        follower_rule: 'marks',
        follower_ppm: ppm,
        sol_ppm: ppm,
        copied: JSON.stringify({ ppm: [ppm + 5_000, ppm, ppm - 50_000], sol: index * 1_000 - 9_000 }),
      };
    }),
  );
  const openedAt = app.clock.now() - 19 * DAY_MS;
  await insertRows('calls', [
    { id: OPEN, caller_id: caller.id, token_mint: MINTS.WIF, entry_price: '2', called_at: openedAt },
  ]);
  await addDerivedRows();
  await refreshSol(SOL_PRICE);
  await setFee('0.6');
  await setFee('0.5');
});

async function refreshSol(price: number): Promise<void> {
  await setPrice(WRAPPED_SOL_MINT, price);
  await app.advance(5 * MINUTE_MS);
  await app.services.priceRefresh.refresh();
}

const read = () => readResponse<CallerProfile>(app.request(`/api/callers/${caller.id}`));
const setFee = (monthlyFee: string | null) =>
  readResponse(caller.patch('/api/user/caller-profile', { monthlyFee }));

interface Row {
  readonly mint: string;
  readonly calledAt: number;
  readonly endedAt: number;
  readonly ppm: number;
  readonly solPpm: number;
  readonly copied: string;
  readonly isLate: 0 | 1;
}

/** The sums of the caller's results, computed from their rows. */
async function readSums() {
  const rows = await query<Row>(
    `SELECT token_mint AS mint, called_at AS calledAt, ended_at AS endedAt, follower_ppm AS ppm, sol_ppm AS solPpm, copied,
       is_late AS isLate
     FROM calls WHERE caller_id = ? AND follower_rule IS NOT NULL ORDER BY ended_at DESC, id DESC`,
    caller.id,
  );
  const [open] = await query<{ at: number | null }>(
    'SELECT MIN(called_at) AS at FROM calls WHERE caller_id = ? AND ended_at IS NULL',
    caller.id,
  );
  const records = rows.map((row) => ({
    ...row,
    copied: JSON.parse(row.copied) as { ppm: number[]; sol: number },
    isLate: row.isLate === 1,
  }));
  return naiveSums(records, open?.at ?? null);
}

interface Write {
  readonly feeSol: number;
  readonly solPrice?: number;
}

/** Asserts that the stored sums are those of the rows, and that the order was stored just now. */
async function expectStored({ feeSol, solPrice = SOL_PRICE }: Write) {
  const sums = await readSums();
  const { afterFee, afterFeePercent } = await read();
  const { ppm, sol, since, ...counts } = sums;
  expect(afterFee).toMatchObject({ ...counts, since: since?.toISOString() });
  const stakes = [100, 1_000, 10_000];
  expect(afterFee.stakes.map(({ gainUsd }) => gainUsd)).toEqual(
    ppm.map((each, index) => (each * (stakes[index] ?? 0)) / 1e6),
  );
  expect(afterFee.stakes[1]?.solUsd).toBe(sol / 1_000);
  const percent = naiveAfterFeePercent(sums, { feeSol, solPrice, now: app.clock.now() });
  expect(afterFeePercent).toBeCloseTo(percent ?? 0, 9);
}

it('gains wait for an open call, and its end and its marks store the sums and the order', async () => {
  const { afterFee, activeCallCount } = await read();
  expect({ results: afterFee.results, activeCallCount }).toEqual({ results: 21, activeCallCount: 1 });
  await expectStored({ feeSol: 0.5 });
  await setPrice(MINTS.WIF, 3);
  await readResponse(caller.patch(`/api/token-calls/${OPEN}/end`));
  await expectStored({ feeSol: 0.5 });
  expect((await read()).afterFee.results).toBe(24);
  for (let minute = 0; minute < 2; minute++) {
    await app.advance(MINUTE_MS);
    await app.services.priceMarks.record();
    await app.services.followerResults.record();
  }
  expect(await query('SELECT follower_rule AS rule FROM calls WHERE id = ?', OPEN)).not.toEqual([
    { rule: null },
  ]);
  await expectStored({ feeSol: 0.5 });
});

it('a change of the fee stores the order at SOL’s price of that time', async () => {
  await setFee('2');
  await expectStored({ feeSol: 2 });
  await refreshSol(200);
  await setFee('0.1');
  await expectStored({ feeSol: 0.1, solPrice: 200 });
  await setFee(null);
  await expectStored({ feeSol: 0 });
});

it('an opening, and the end of a call whose gain waits, store the order for the months until then', async () => {
  const before = await read();
  await app.advance(20 * DAY_MS);
  caller = await app.signIn('amara_calls');
  await refreshSol(SOL_PRICE);
  const call = await makeCall({ caller, mint: MINTS.BONK, price: 1 });
  await expectStored({ feeSol: 0.5 });
  expect((await read()).afterFeePercent).toBeLessThan(before.afterFeePercent ?? 0);
  await app.advance(10 * MINUTE_MS);
  await endCall({ caller, call, price: 2 });
  await expectStored({ feeSol: 0.5 });
  expect((await read()).afterFee.results).toBe(before.afterFee.results);
});

it('without SOL’s price, the month’s gain is unknown, and the order stays', async () => {
  const { afterFeePercent, afterFee } = await read();
  expect(afterFee).toMatchObject({ feeUsd: 75, paysFromUsd: expect.any(Number) as number });
  await app.advance(MAX_SOL_PRICE_AGE_MS + MINUTE_MS);
  await setFee('1');
  const [listed] = await readResponse<CallerListItem[]>(app.request('/api/callers'));
  expect(listed).toMatchObject({ afterFeePercent, afterFee: { feeUsd: null, paysFromUsd: null } });
  expect(listed?.afterFee.stakes.map(({ monthUsd }) => monthUsd)).toEqual([null, null, null]);
});
