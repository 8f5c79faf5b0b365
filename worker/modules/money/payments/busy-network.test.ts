import type { Keypair } from '@solana/web3.js';
import { beforeEach, expect, it, vi } from 'vitest';
import { MINUTE_MS } from '#schema/constants/time.ts';
import type { OpenIntentResponse } from '#schema/contracts/payments.ts';
import { chooseComputeBudget, networkFeeOf } from '#schema/rules/money/network-fee.ts';
import { expectRefusal, readResponse } from '#test/responses.ts';
import { createPaymentScene, hasAccess, SCENE_FEE, spentBy } from '#test/payments/payment-scene.ts';
import { claimBody, computeBudgetOf, openIntent, pay, send, signPayment } from '#test/payments/payments.ts';
import { control, type Person, type TestApp } from '#test/test-app.ts';

/** Twice the price of a quiet network. */
const BUSY = 100_000;

let app: TestApp;
let caller: Person;
let follower: Person;
let payer: Keypair;

beforeEach(async () => {
  vi.spyOn(console, 'warn').mockReturnValue();
  ({ app, caller, follower, payer } = await createPaymentScene());
});

const setLoad = (microLamports: number) => control('POST', '/solana/load', { microLamports });
const budgetOf = ({ computeBudget }: OpenIntentResponse) => ({
  ...computeBudget,
  microLamports: BigInt(computeBudget.microLamports),
});

it('on a busy network, a payment with the intent’s compute unit price lands and costs the shown network fee', async () => {
  await setLoad(BUSY);
  const terms = await openIntent(follower, caller.id);
  expect(budgetOf(terms).microLamports).toBe(BigInt(BUSY));
  const changes = { before: computeBudgetOf(terms) };
  await pay({ person: follower, payer, callerId: caller.id, changes });
  expect(await hasAccess({ follower, caller })).toBe(true);
  expect(await spentBy({ payer })).toBe(SCENE_FEE + networkFeeOf(budgetOf(terms)));
});

it('a payment below a busy network’s price expires without cost, and the user can pay again', async () => {
  await setLoad(BUSY);
  const terms = await openIntent(follower, caller.id);
  const { result: signature } = await readResponse<{ result: string }>(
    send(follower, signPayment({ terms, payer })),
  );
  const claim = claimBody({ terms, callerId: caller.id, signature });
  expect((await follower.post('/api/subscriptions', claim)).status).toBe(202);
  await app.advance(3 * MINUTE_MS);
  await app.runJobs('payments');
  await expectRefusal(follower.post('/api/solana/confirm-transaction', { signature }), 'payments.expired');
  expect(await spentBy({ payer })).toBe(0n);
  const next = await openIntent(follower, caller.id);
  await pay({ person: follower, payer, callerId: caller.id, changes: { before: computeBudgetOf(next) } });
  expect(await hasAccess({ follower, caller })).toBe(true);
});

it('an intent names the lowest compute unit price if the request for recent prices fails', async () => {
  await control('POST', '/faults', { service: 'solana', path: 'getRecentPrioritizationFees', status: 503 });
  expect(budgetOf(await openIntent(follower, caller.id))).toEqual(chooseComputeBudget([]));
});
