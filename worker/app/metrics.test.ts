import { beforeEach, expect, it, vi } from 'vitest';
import { MINUTE_MS, SECOND_MS } from '#schema/constants/time.ts';
import { query } from '#test/database/database.ts';
import { readResponse } from '#test/responses.ts';
import { createPaidCaller, makeCall, MINTS } from '#test/people/callers.ts';
import { createFundedWallet } from '#test/payments/chain.ts';
import { land, openIntent, pay, waitUntilConfirmed, signPayment } from '#test/payments/payments.ts';
import { connectTelegram } from '#test/messages/telegram.ts';
import { control, createTestApp, type Person, type TestApp } from '#test/test-app.ts';

let app: TestApp;
let points: AnalyticsEngineDataPoint[];
let caller: Person;
let follower: Person;

beforeEach(async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  points = [];
  const METRICS = { writeDataPoint: (point: AnalyticsEngineDataPoint) => void points.push(point) };
  app = await createTestApp({ bindings: { METRICS }, random: () => 0 });
  ({ caller } = await createPaidCaller(app, { fee: '0.5' }));
  follower = await app.signIn('follower');
});

/** The names, outcomes and values of all recorded points of one kind. */
const recorded = (kind: string) =>
  points
    .filter(({ blobs }) => blobs?.[0] === kind)
    .map(({ blobs = [], doubles }) => [...blobs.slice(1), ...(doubles ?? [])]);
const subscribe = async () => {
  const payer = await createFundedWallet();
  return { payer, ...(await pay({ person: follower, payer, callerId: caller.id })) };
};

it('metrics count the failures of each price source by their kind', async () => {
  await control('POST', '/faults', { service: 'jupiter', status: 503, path: '/tokens/' });
  await control('POST', '/faults', { service: 'dexscreener', drop: true });
  await control('POST', '/faults', { service: 'solana-primary', status: 500 });
  await expect(makeCall({ caller, mint: MINTS.WIF, price: 2 })).rejects.toThrow('50');
  const failures = recorded('source');
  expect(failures).toContainEqual(['jupiter', 'http_503', 1, 1]);
  expect(failures).toContainEqual(['dexscreener', 'no_connection', 1, 1]);
  expect(failures.map(([name]) => name)).toContain('solana_primary');
});

it('metrics count each payment once per state that it reaches', async () => {
  // The first cron runs read the transactions that earlier tests sent to the platform wallet.
  await app.advance(MINUTE_MS);
  do await app.runCron();
  while ((await query('SELECT 1 FROM unread_transactions')).length > 0);
  points = [];
  await app.runCron();
  expect(recorded('payment')).toEqual([]);
  const { terms, payer } = await subscribe();
  await app.runCron();
  expect(recorded('payment')).toEqual([['granted', '', 1, 1]]);
  await app.advance(SECOND_MS);
  const { intent } = await openIntent(follower, caller.id);
  const changes = { platformLamports: 1_000_000n };
  await land(signPayment({ terms: { ...terms, intent }, payer, changes }));
  await waitUntilConfirmed(app);
  await app.advance(MINUTE_MS);
  await app.runCron();
  await app.runCron();
  expect(recorded('payment')).toEqual([
    ['granted', '', 1, 1],
    ['orphaned', '', 1, 1],
    ['finalized', '', 1, 1],
  ]);
});

it('metrics count one request in 20, chosen at random, as 20', async () => {
  let random = 0.05;
  const METRICS = { writeDataPoint: (point: AnalyticsEngineDataPoint) => void points.push(point) };
  const sampling = await createTestApp({ bindings: { METRICS }, random: () => random });
  points = [];
  await sampling.request('/api/callers');
  random = 0.049;
  await sampling.request('/api/callers');
  expect(recorded('request')).toEqual([['GET /api/callers', '200', expect.any(Number), 20]]);
});

it('metrics measure how long Telegram messages waited', async () => {
  await subscribe();
  await connectTelegram(app, follower);
  points = [];
  const call = await makeCall({ caller, mint: MINTS.WIF, price: 2 });
  await readResponse(caller.post('/api/telegram/send-update', { callId: call.id, message: 'Hold.' }));
  await app.advance(3 * SECOND_MS);
  await app.sender.deliver();
  expect(recorded('message')).toEqual([['telegram', 'sent', expect.any(Number), 2]]);
  expect(Number(recorded('message')[0]?.[2])).toBeGreaterThanOrEqual(3 * SECOND_MS);
});

it('metrics contain no handle, id, wallet, signature or chat', async () => {
  await app.runCron();
  const { signature, payer } = await subscribe();
  const chatId = await connectTelegram(app, follower);
  await makeCall({ caller, mint: MINTS.WIF, price: 2, thesis: 'A secret.' });
  await app.runCron();
  await app.sender.deliver();
  await follower.get(`/caller/${caller.handle}?utm=${follower.handle}`);
  await follower.get(`/nobody/${follower.handle}`);
  const texts = JSON.stringify(points);
  expect(new Set(points.map(({ indexes }) => indexes?.[0]))).toEqual(
    new Set(['request', 'cron', 'job', 'payment', 'message']),
  );
  const personal = [caller.id, caller.handle, follower.id, follower.handle, signature, MINTS.WIF];
  for (const text of [...personal, payer.publicKey.toBase58(), String(chatId), 'A secret.']) {
    expect(texts).not.toContain(text);
  }
});
