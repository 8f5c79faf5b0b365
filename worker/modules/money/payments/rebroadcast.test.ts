import { runInDurableObject } from 'cloudflare:test';
import type { Keypair } from '@solana/web3.js';
import { beforeEach, expect, it, vi } from 'vitest';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '#schema/constants/time.ts';
import type { ConfirmTransactionResponse, SendTransactionResponse } from '#schema/contracts/payments.ts';
import { REBROADCASTER_NAME } from '../../../app/env.ts';
import { expectRefusal, readResponse } from '#test/responses.ts';
import { createFundedWallet, SIGNATURE_FEE } from '#test/payments/chain.ts';
import { query } from '#test/database/database.ts';
import { interceptSolana } from '#test/payments/intercept-solana.ts';
import {
  clearFaults,
  createPaymentScene,
  failSolana,
  forget,
  hasAccess,
  SCENE_FEE,
  settle,
  spentBy,
} from '#test/payments/payment-scene.ts';
import { land, openIntent, send, waitUntilConfirmed, signPayment } from '#test/payments/payments.ts';
import { control, createTestApp, testEnv, type Person, type TestApp } from '#test/test-app.ts';

let app: TestApp;
let caller: Person;
let follower: Person;
let payer: Keypair;

beforeEach(async () => {
  vi.spyOn(console, 'warn').mockReturnValue();
  ({ app, caller, follower, payer } = await createPaymentScene());
});

const failSending = (how: object) => failSolana({ path: 'sendTransaction', ...how });
/** Signs and sends a payment; the page is closed afterwards. */
const sendOnly = async () => {
  const transaction = signPayment({ terms: await openIntent(follower, caller.id), payer });
  return { transaction, response: await send(follower, transaction) };
};
const countSends = (requested: readonly { method: string }[]) =>
  requested.filter(({ method }) => method === 'sendTransaction').length;

it.each([
  ['responded 503', { status: 503 }],
  ['cut the connection', { drop: true }],
  ['accepted the payment without a response', { dropResponse: true }],
])(
  'if the cluster %s and the page is closed, the payment still lands once within 15 seconds',
  async (_what, how) => {
    await failSending(how);
    const { response } = await sendOnly();
    await expectRefusal(Promise.resolve(response), 'chain.unavailable');
    const sentAt = app.clock.now();
    await app.rebroadcaster.fire();
    await clearFaults();
    while (app.rebroadcaster.alarmAt !== null) await app.rebroadcaster.fire();
    expect(app.clock.now() - sentAt).toBeLessThan(15 * SECOND_MS);
    await app.runJobs('payments');
    expect(await hasAccess({ follower, caller })).toBe(true);
    expect(await spentBy({ payer })).toBe(SCENE_FEE + SIGNATURE_FEE);
  },
);

it.each([
  ['to the send', { status: 503, path: 'sendTransaction' }],
  ['to any request', { status: 503, path: undefined }],
])(
  'the cron sends a payment if the rebroadcast timer was lost and the cluster did not respond %s',
  async (_what, fault) => {
    const transaction = signPayment({ terms: await openIntent(follower, caller.id), payer });
    await failSending(fault);
    await send(follower, transaction);
    await clearFaults();
    await app.advance(30 * SECOND_MS);
    await app.runJobs('payments');
    await waitUntilConfirmed(app);
    await app.runJobs('payments');
    expect(await hasAccess({ follower, caller })).toBe(true);
  },
);

it('a payment whose blockhash has expired is not sent again, and blocks no other payment', async () => {
  await failSending({ status: 503 });
  await sendOnly();
  await app.rebroadcaster.fire();
  await clearFaults();
  await control('POST', '/solana/expire-blockhash');
  const requested = interceptSolana();
  await app.rebroadcaster.fire();
  expect(countSends(requested)).toBe(0);
  expect(app.rebroadcaster.alarmAt).toBeNull();
  await settle({ app });
  await openIntent(follower, caller.id);
  expect(await spentBy({ payer })).toBe(0n);
});

it('a payment that the cluster did not accept is sent again at growing intervals', async () => {
  await failSending({ status: 503 });
  await sendOnly();
  const sentAt = app.clock.now();
  const ages: number[] = [];
  for (let run = 0; run < 5; run++) {
    ages.push(Math.round(((app.rebroadcaster.alarmAt ?? 0) - sentAt) / SECOND_MS));
    await app.rebroadcaster.fire();
  }
  expect(ages.slice(1).every((age, index) => age > (ages[index] ?? 0))).toBe(true);
  expect(ages.at(-1)).toBeGreaterThanOrEqual(25);
});

it('after a payment is confirmed, the rebroadcast timer stops and the signed transaction is deleted', async () => {
  const { response } = await sendOnly();
  await readResponse<SendTransactionResponse>(Promise.resolve(response));
  const requested = interceptSolana();
  await app.rebroadcaster.fire();
  expect(countSends(requested)).toBe(0);
  expect(app.rebroadcaster.alarmAt).toBeNull();
  expect(await query('SELECT signed_bytes FROM payment_broadcasts')).toEqual([{ signed_bytes: null }]);
});

it('the rebroadcast timer sends a payment again if the cluster accepted and then lost it', async () => {
  const { response } = await sendOnly();
  const { result: signature } = await readResponse<SendTransactionResponse>(Promise.resolve(response));
  await forget(signature);
  await app.rebroadcaster.fire();
  await waitUntilConfirmed(app);
  const { result } = await readResponse<ConfirmTransactionResponse>(
    follower.post('/api/solana/confirm-transaction', { signature }),
  );
  expect(result.value[0].err).toBeNull();
});

it('concurrent sends of a payment that the cluster rejects are no failure of ours', async () => {
  payer = await createFundedWallet(0.1);
  const transaction = signPayment({ terms: await openIntent(follower, caller.id), payer });
  const sent = await Promise.all([1, 2, 3, 4].map(() => send(follower, transaction)));
  for (const { status } of sent) expect([200, 422]).toContain(status);
  expect(sent.some(({ status }) => status === 422)).toBe(true);
});

it('the rebroadcast timer does not send a payment again that the cluster rejected', async () => {
  payer = await createFundedWallet(0.1);
  const { response } = await sendOnly();
  await expectRefusal(Promise.resolve(response), 'payments.insufficient_funds');
  const requested = interceptSolana();
  await app.rebroadcaster.fire();
  expect(countSends(requested)).toBe(0);
  expect(app.rebroadcaster.alarmAt).toBeNull();
});

it('sending a payment succeeds even if the rebroadcast timer fails', async () => {
  const broken = { getByName: () => ({ wakeAt: () => Promise.reject(new Error('overloaded')) }) };
  app = await createTestApp({
    bindings: { REBROADCASTER: broken as unknown as (typeof testEnv)['REBROADCASTER'] },
  });
  follower = app.browser(follower);
  const { response } = await sendOnly();
  await readResponse(Promise.resolve(response));
});

it('the rebroadcast timer fires at the earliest of its scheduled times', async () => {
  const stub = testEnv.REBROADCASTER.getByName(REBROADCASTER_NAME);
  const at = Date.now() + DAY_MS;
  const readAlarm = () => runInDurableObject(stub, (_, { storage }) => storage.getAlarm());
  await stub.wakeAt(at);
  await stub.wakeAt(at + MINUTE_MS);
  expect(await readAlarm()).toBe(at);
  await stub.wakeAt(at - MINUTE_MS);
  expect(await readAlarm()).toBe(at - MINUTE_MS);
});

it('a payment that the wallet sent itself is not sent again by us', async () => {
  await land(signPayment({ terms: await openIntent(follower, caller.id), payer }));
  expect(app.rebroadcaster.alarmAt).toBeNull();
  expect(await app.services.rebroadcast.run()).toBeNull();
});
