import { beforeEach, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#schema/constants.ts';
import { verifyRecord } from '#verify/record.ts';
import type { Source } from '#verify/source.ts';
import { verifyWholeLog } from '#verify/whole-log.ts';
import { readResponse } from '../../test-support/responses.ts';
import { createCaller, endCall, makeCall, MINTS } from '../../test-support/people/callers.ts';
import { createTestApp, type Person, type TestApp } from '../../test-support/test-app.ts';

// The verifier was written from docs/SEALED-CALLS.md, independently of this module's code, so it finds differences.

let app: TestApp;
let caller: Person;

async function get(path: string) {
  const response = await app.request(path);
  if (!response.ok) throw new Error(`${path} returned status ${response.status}`);
  return response;
}

const source: Source = {
  // Anchors have their own tests.
  fetchText: async (path) => (path === '/log/anchors' ? '{"anchors":[]}' : (await get(path)).text()),
  fetchBytes: async (path) => new Uint8Array(await (await get(path)).arrayBuffer()),
  fetchPage: async (path) => ({ text: await (await get(path)).text(), next: null }),
};

const verify = async (handle: string) => {
  let saved: string | null = null;
  const store = { read: () => saved, write: (text: string) => void (saved = text) };
  const options = { source, store, now: app.clock.now() };
  return { record: await verifyRecord({ ...options, handle }), whole: await verifyWholeLog(options) };
};

/** Adds everything to the log, as the cron does each minute. */
async function log(): Promise<void> {
  await app.services.logSequencer.sequence();
  await app.advance(MINUTE_MS);
}

beforeEach(async () => {
  app = await createTestApp();
  caller = await createCaller(app, 'caller');
  await createCaller(app, 'other');
  await log();
});

it('the independent verifier accepts a log of calls, updates, short gains, losses and active calls', async () => {
  const call = await makeCall({ caller, mint: MINTS.WIF, price: 2, thesis: 'The hat.' });
  await log();
  await readResponse(caller.post('/api/telegram/send-update', { callId: call.id, message: 'An update.' }));
  const quick = await makeCall({ caller, mint: MINTS.JUP, price: 1 });
  await log();
  await endCall({ caller, call: quick, price: 3 });
  await log();
  await app.advance(DAY_MS);
  await endCall({ caller, call, price: 1 });
  await makeCall({ caller, mint: MINTS.BONK, price: 1 });
  await log();
  await app.advance(HOUR_MS);
  const { record, whole } = await verify('caller');
  expect(record).toMatchObject({
    failures: [],
    figures: { endedCalls: 2, rankedCalls: 2, winRate: 0, avgReturn: -25, bestReturn: 0, worstReturn: -50 },
  });
  expect(record.checked).toHaveLength(7);
  expect(whole.failures).toEqual([]);
  expect(whole.checked).toContain('Every tile, entry, chain and map of the log is right');
});
