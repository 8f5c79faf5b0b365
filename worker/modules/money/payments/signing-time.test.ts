import type { Keypair } from '@solana/web3.js';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { BLOCKHASH_BLOCKS } from '#schema/constants/money.ts';
import { setSlotMs } from '#test/payments/chain.ts';
import { interceptSolana } from '#test/payments/intercept-solana.ts';
import { createPaymentScene } from '#test/payments/payment-scene.ts';
import { openIntent, send, signPayment } from '#test/payments/payments.ts';
import { expectRefusal } from '#test/responses.ts';
import { control, type Person, type TestApp } from '#test/test-app.ts';

let app: TestApp;
let caller: Person;
let follower: Person;
let payer: Keypair;

beforeEach(async () => {
  ({ app, caller, follower, payer } = await createPaymentScene());
});

it.each([200, 250, 400])(
  'at slots of %i ms, a payment is accepted if it is signed within 150 blocks',
  async (slotMs) => {
    await setSlotMs(app, slotMs);
    const terms = await openIntent(follower, caller.id);
    expect(terms.signingMs).toBe(BLOCKHASH_BLOCKS * slotMs);
    await app.advance(0.9 * BLOCKHASH_BLOCKS * slotMs);
    expect((await send(follower, signPayment({ terms, payer }))).status).toBe(200);
  },
);

it.each([200, 250, 400])(
  'at slots of %i ms, a payment signed after more than 150 blocks is refused as expired',
  async (slotMs) => {
    await setSlotMs(app, slotMs);
    const terms = await openIntent(follower, caller.id);
    await app.advance((BLOCKHASH_BLOCKS + 2) * slotMs);
    await expectRefusal(send(follower, signPayment({ terms, payer })), 'payments.blockhash_expired');
  },
);

it.each([
  ['more than 150 blocks ahead', 400, 0],
  ['behind', -100, BLOCKHASH_BLOCKS],
])(
  'if the block height comes from a node that is %s, the time left to sign is within the blockhash’s life',
  async (_which, blocksAhead, blocksLeft) => {
    await setSlotMs(app, 250);
    onTestFinished(() => void vi.restoreAllMocks());
    interceptSolana(({ method }, result) =>
      method === 'getBlockHeight' ? Number(result) + blocksAhead : result,
    );
    expect((await openIntent(follower, caller.id)).signingMs).toBe(blocksLeft * 250);
  },
);

it('the time left to sign is unknown while no endpoint has performance samples', async () => {
  await control('POST', '/faults', { service: 'solana', status: 503, path: 'getRecentPerformanceSamples' });
  const terms = await openIntent(follower, caller.id);
  expect(terms.signingMs).toBeNull();
  expect((await send(follower, signPayment({ terms, payer }))).status).toBe(200);
});
