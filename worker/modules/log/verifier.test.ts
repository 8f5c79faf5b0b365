import { beforeEach, expect, it, vi } from 'vitest';
import { LOG_UNANCHORED_MS } from '#schema/constants/log.ts';
import { FOLLOWER_RECORD_DELAY_MS } from '#schema/constants/market.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '#schema/constants/time.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import type { Target, Verdict } from '#verify/verify.ts';
import { query } from '#test/database/database.ts';
import { interceptDatabase } from '#test/database/intercept-database.ts';
import { callBody, createCaller, endCall, makeCall, MINTS } from '#test/people/callers.ts';
import { act, createOperatedApp } from '#test/people/operators.ts';
import { createAnchorKey, fundAnchors } from '#test/payments/anchors.ts';
import { readResponse } from '#test/responses.ts';
import { breakSource, endFaults, setPrice } from '#test/price-sources.ts';
import { control, createTestApp, testEnv, type Person, type TestApp } from '#test/test-app.ts';
import { expectVerified, verifyTarget } from '#test/verify-log.ts';

// The verifier was written from docs/SEALED-CALLS.md, independently of this module's code, so it finds differences.

const LEADERBOARD = ['/api/callers?sort=proven'];
let app: TestApp;
let operator: Person;
let caller: Person;

const check = (target: Target): Promise<Verdict> => verifyTarget(app, target);

const expectAllVerified = async (handle = caller.handle) => {
  const leaderboard = { kind: 'leaderboard', sort: 'proven', order: 'desc', paths: LEADERBOARD } as const;
  await expectVerified(app, [{ kind: 'caller', handle }, leaderboard, { kind: 'all' }]);
};

/** Runs the log's jobs each minute. */
const pass = async (minutes: number) => {
  for (let minute = 0; minute < minutes; minute++) {
    await app.runJobs('prices', 'calls', 'log');
    await app.advance(MINUTE_MS);
  }
};

beforeEach(async () => {
  const key = createAnchorKey();
  ({ app, operator } = await createOperatedApp({ LOG_ANCHOR_KEY: key }));
  await fundAnchors(app, { key });
  caller = await createCaller(app, 'verified_caller');
  await createCaller(app, 'other');
  await pass(6);
});

it('the independent verifier accepts a log with an update, a short gain, a loss and an active call', async () => {
  const call = await makeCall({ caller, mint: MINTS.WIF, price: 2, thesis: 'The hat.', targetPrice: '3' });
  await pass(1);
  await readResponse(caller.post('/api/telegram/send-update', { callId: call.id, message: 'An update.' }));
  const quick = await makeCall({ caller, mint: MINTS.JUP, price: 1 });
  await pass(2);
  await endCall({ caller, call: quick, price: 3 });
  await pass(6);
  await expectAllVerified();
  await app.advance(DAY_MS);
  await endCall({ caller, call, price: 1 });
  await makeCall({ caller, mint: MINTS.BONK, price: 1 });
  await app.advance(FOLLOWER_RECORD_DELAY_MS);
  await pass(8);
  await expectAllVerified();
});

it('the independent verifier accepts a hidden text, a new handle, and an account that was deleted and recreated', async () => {
  const call = await makeCall({ caller, mint: MINTS.WIF, price: 2, thesis: 'The hat.' });
  await act(operator, { action: 'hide_text', kind: 'thesis', subjectId: call.id });
  await act(operator, { action: 'verify', subjectId: caller.id });
  await pass(3);
  await endCall({ caller, call, price: 3 });
  await control('POST', '/x/rename', { handle: caller.handle, newHandle: 'verified_anew' });
  const renamed = await app.signIn('verified_anew');
  await pass(8);
  await expectAllVerified('verified_anew');
  await readResponse(renamed.post('/api/user/deletion', { handle: 'verified_anew' }));
  await app.services.accountDeletion.eraseRest();
  await pass(8);
  await expectAllVerified(caller.id);
  await createCaller(app, 'verified_anew');
  await pass(8);
  await expectAllVerified('verified_anew');
});

it('the independent verifier accepts a log after an outage, and says how many calls came late', async () => {
  const call = await makeCall({ caller, mint: MINTS.WIF, price: 2 });
  await pass(6);
  await endCall({ caller, call, price: 3 });
  for (const service of ['solana', 'solana-fallback']) {
    await control('POST', '/faults', { service, status: 503 });
  }
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  await pass(LOG_UNANCHORED_MS / MINUTE_MS + 2);
  await control('DELETE', '/faults');
  expect(await query('SELECT is_late FROM calls')).toEqual([{ is_late: 1 }]);
  await pass(8);
  await expectAllVerified();
  const { headlines } = await check({ kind: 'caller', handle: caller.handle });
  expect(headlines.join(' ')).toContain('1 came late');
});

it('the independent verifier accepts calls that count less because one source had a usable price', async () => {
  const call = await makeCall({ caller, mint: MINTS.WIF, price: 2 });
  await setPrice(MINTS.JUP, 2);
  // Jupiter's price has a slot of unknown age.
  await control('POST', '/prices', { mint: MINTS.JUP, price: 2, source: 'jupiter', ageMs: 20 * SECOND_MS });
  await control('POST', '/faults', { service: 'solana', status: 503, path: 'getBlockTime' });
  const undated = await readResponse<TokenCall>(
    caller.post('/api/token-calls', callBody({ caller, mint: MINTS.JUP, entryPrice: '2' })),
    201,
  );
  await endFaults();
  await pass(15);
  await endCall({ caller, call: undated, price: 3 });
  await breakSource('jupiter');
  await endCall({ caller, call, price: 3 });
  await endFaults();
  expect(await query('SELECT unranked_reason, uncounted_gain_reason FROM calls ORDER BY called_at')).toEqual([
    { unranked_reason: null, uncounted_gain_reason: 'one_source' },
    { unranked_reason: 'one_source', uncounted_gain_reason: null },
  ]);
  await pass(8);
  await expectAllVerified();
});

it('the independent verifier accepts a thesis that was hidden and is shown again', async () => {
  const call = await makeCall({ caller, mint: MINTS.WIF, price: 2, thesis: 'The hat.' });
  await pass(1);
  await endCall({ caller, call, price: 1 });
  for (const action of ['hide_text', 'show_text']) {
    await act(operator, { action, kind: 'thesis', subjectId: call.id });
    await pass(11);
    await expectAllVerified();
  }
});

it('the independent verifier accepts an update that the caller sends while the call ends', async () => {
  const call = await makeCall({ caller, mint: MINTS.WIF, price: 2 });
  await pass(1);
  let isSent = false;
  const DB = interceptDatabase(testEnv.DB, async ({ sql }, run) => {
    if (!isSent && /update "calls" set/.test(sql)) {
      isSent = true;
      await app.advance(1);
      await readResponse(caller.post('/api/telegram/send-update', { callId: call.id, message: 'Now!' }));
    }
    return run();
  });
  const other = await createTestApp({ bindings: { DB } });
  await endCall({ caller: other.browser(caller), call, price: 1 });
  expect(isSent).toBe(true);
  await pass(8);
  await expectAllVerified();
});
