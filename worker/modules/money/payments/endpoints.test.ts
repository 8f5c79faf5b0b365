import { Keypair } from '@solana/web3.js';
import { createScheduledController } from 'cloudflare:test';
import { beforeEach, expect, it, vi } from 'vitest';
import { MINUTE_MS } from '#schema/constants/time.ts';
import worker from '../../../index.ts';
import { expectRefusal, expectRefusalWithoutTrace, readResponse } from '#test/responses.ts';
import { proveWallet } from '#test/people/callers.ts';
import { balanceOf } from '#test/payments/chain.ts';
import { interceptSolana, watchConnections, type SolanaRequest } from '#test/payments/intercept-solana.ts';
import {
  clearFaults,
  createPaymentScene,
  failSolana,
  forget,
  hasAccess,
  listLedger,
} from '#test/payments/payment-scene.ts';
import { openIntent, pay, send, signPayment, waitUntilConfirmed } from '#test/payments/payments.ts';
import { control, createTestApp, testEnv, type Person, type TestApp } from '#test/test-app.ts';

const OTHER_CLUSTER = '4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY';

let app: TestApp;
let caller: Person;
let payout: Keypair;
let follower: Person;
let payer: Keypair;

beforeEach(async () => {
  ({ app, caller, payout, follower, payer } = await createPaymentScene());
});

const runPaymentJobs = () => app.runJobs('payments', 'chain');
const paidOut = () => balanceOf(payout.publicKey.toBase58());
const count = (requests: readonly SolanaRequest[], method: string) =>
  requests.filter((each) => each.method === method).length;

it('reading a user’s wallet balances uses at most six simultaneous connections, which is a Worker’s limit', async () => {
  for (let number = 0; number < 6; number++) await proveWallet(follower, Keypair.generate());
  const mostAtOnce = watchConnections();
  await readResponse(follower.get('/api/wallet/balances'));
  expect(mostAtOnce()).toBeLessThanOrEqual(6);
});

const outages = [
  ['solana-primary', { status: 503 }],
  ['solana-primary', { status: 429 }],
  ['solana-primary', { drop: true }],
  ['solana-fallback', { drop: true }],
] as const;
it.each(outages)(
  'while %s fails with %o, payments with and without a claim succeed and are finalized',
  async (service, how) => {
    await failSolana({ service, ...how });
    await pay({ person: follower, payer, callerId: caller.id });
    expect(await hasAccess({ follower, caller })).toBe(true);
    const other = await app.signIn('other_follower');
    const terms = await openIntent(other, caller.id);
    await readResponse(send(other, signPayment({ terms, payer })));
    await app.advance(MINUTE_MS);
    await runPaymentJobs();
    expect(await listLedger()).toEqual(['granted', 'granted', 'finalized', 'finalized']);
    await readResponse(follower.get('/api/wallet/transactions'));
  },
);

const alarms = (errors: { mock: { calls: unknown[][] } }) =>
  errors.mock.calls
    .map(([line]) => JSON.parse(String(line)) as { event: string; kind?: string; since?: string })
    .filter(({ kind }) => kind === 'chain.endpoint_down');
const tick = async (minutes = 1) => {
  for (let minute = 0; minute < minutes; minute++) {
    await app.advance(MINUTE_MS);
    await runPaymentJobs();
  }
};

it('each outage of the fallback endpoint raises one alarm after five minutes', async () => {
  const errors = vi.spyOn(console, 'error').mockReturnValue();
  await tick();
  await failSolana({ service: 'solana-fallback', drop: true });
  await tick();
  const since = new Date(app.clock.now()).toISOString();
  await tick(4);
  expect(alarms(errors)).toEqual([]);
  await tick(6);
  expect(alarms(errors)).toMatchObject([{ event: 'alarm', endpoint: 'fallback', since }]);
  expect(JSON.stringify(errors.mock.calls)).not.toContain(testEnv.SOLANA_FALLBACK_RPC_URL);
  await clearFaults();
  await tick();
  await failSolana({ service: 'solana-fallback', status: 503 });
  await tick(7);
  expect(alarms(errors)).toHaveLength(2);
});

it('an expired payment blocks its payer for about ten minutes while the fallback endpoint is down', async () => {
  await failSolana({ path: 'sendTransaction', status: 503 });
  const terms = await openIntent(follower, caller.id);
  await expectRefusal(send(follower, signPayment({ terms, payer })), 'chain.unavailable');
  await clearFaults();
  await control('POST', '/solana/expire-blockhash');
  await failSolana({ service: 'solana-fallback', drop: true });
  await tick(5);
  await expectRefusal(
    follower.post('/api/solana/get-latest-blockhash', { callerId: caller.id }),
    'payments.already_sent',
  );
  await app.advance(6 * MINUTE_MS);
  await tick();
  await pay({ person: follower, payer, callerId: caller.id });
});

it('while no endpoint returns transactions, a second device hears of the payment in progress', async () => {
  const terms = await openIntent(follower, caller.id);
  await readResponse(send(follower, signPayment({ terms, payer })));
  await waitUntilConfirmed(app);
  await failSolana({ path: 'getTransaction', status: 503 });
  await expectRefusal(
    follower.post('/api/solana/get-latest-blockhash', { callerId: caller.id }),
    'payments.already_sent',
  );
});

it.each(['primary', 'fallback'] as const)(
  'payments and the cron pause while the %s endpoint is on another cluster',
  async (endpoint) => {
    const terms = await openIntent(follower, caller.id);
    const signed = signPayment({ terms, payer });
    const before = await paidOut();
    const errors = vi.spyOn(console, 'error').mockReturnValue();
    const requests = interceptSolana((request, result) =>
      request.method === 'getGenesisHash' && request.endpoint === endpoint ? OTHER_CLUSTER : result,
    );
    // A new app checks the cluster again, as it does after a deployment.
    const deployed = await createTestApp();
    const sendRequest = (path: string, body?: unknown) =>
      deployed.request(path, {
        method: body === undefined ? 'GET' : 'POST',
        body,
        cookie: follower.cookie,
      });
    const transaction = btoa(String.fromCharCode(...signed));
    const { message } = await expectRefusalWithoutTrace(
      () => sendRequest('/api/solana/send-transaction', { transaction }),
      'chain.wrong_cluster',
    );
    expect(message).toContain('Payments are paused');
    await expectRefusalWithoutTrace(
      () => sendRequest('/api/solana/get-latest-blockhash', { callerId: caller.id }),
      'chain.wrong_cluster',
    );
    await deployed.runCron();
    expect(requests.filter(({ method }) => method !== 'getGenesisHash')).toEqual([]);
    expect(count(requests, 'getGenesisHash')).toBe(2);
    expect(await paidOut()).toBe(before);
    const lines = errors.mock.calls.map(([line]) => String(line));
    expect(lines.map((line) => JSON.parse(line) as unknown)).toContainEqual({
      event: 'chain.wrong_cluster',
      endpoint,
      expected: testEnv.SOLANA_GENESIS_HASH,
      found: OTHER_CLUSTER,
    });
    expect(lines.join()).not.toContain(testEnv.SOLANA_RPC_URL);
  },
);

it.each(['solana-primary', 'solana-fallback'])(
  'a payment that disappeared from the chain is revoked only after %s responds again',
  async (service) => {
    const { signature } = await pay({ person: follower, payer, callerId: caller.id });
    await forget(signature);
    await failSolana({ service, drop: true });
    await tick();
    expect(await listLedger()).toEqual(['granted']);
    expect(await hasAccess({ follower, caller })).toBe(true);
    await clearFaults();
    await tick();
    expect(await listLedger()).toEqual(['granted', 'revoked']);
  },
);

it('each endpoint’s cluster is checked only once per isolate, even if the cron runs again', async () => {
  await openIntent(follower, caller.id);
  vi.useFakeTimers({ toFake: ['Date'], now: app.clock.now() + 2 * MINUTE_MS });
  const requests = interceptSolana();
  const run = async () => {
    await worker.scheduled(createScheduledController(), testEnv);
    return { clusters: count(requests, 'getGenesisHash'), reads: count(requests, 'getSignaturesForAddress') };
  };
  const first = await run();
  vi.setSystemTime(Date.now() + 2 * MINUTE_MS);
  const second = await run();
  vi.useRealTimers();
  // The cron's probe and its jobs have services of their own.
  expect([first.clusters, second.clusters]).toEqual([4, 4]);
  expect(second.reads).toBeGreaterThan(first.reads);
});
