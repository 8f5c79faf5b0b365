import { expect, it } from 'vitest';
import type { Subscription } from '#schema/contracts/subscriptions.ts';
import {
  replies,
  apiError,
  createPaymentDoubles,
  intentResponse,
  paidPeriod,
  PAYER,
  recordProgress,
  SIGNATURE,
  subscription,
  termsShownAt,
} from './payment-test-doubles.ts';
import { SEARCH_RETRY_MS } from './pay-by-wallet.ts';
import { payCaller } from './pay-caller.ts';
import type { PendingPayment, WalletPayment } from './payment-types.ts';

const CALLER = 'caller-1';
type Overrides = Parameters<typeof createPaymentDoubles>[0];

const walletPayment: WalletPayment = {
  callerId: CALLER,
  intent: intentResponse().intent,
  signature: SIGNATURE,
  payer: PAYER,
  openedAt: 1_000_000,
  lastValidBlockHeight: 100,
  hasLanded: false,
};
const atHeight = (lastValidBlockHeight: number) => ({
  ...intentResponse(),
  result: { value: { blockhash: 'EkSnNWid2cvwEVnVx9aBqawnmiCNiDgp3gUdkDPTKN1N', lastValidBlockHeight } },
});
const never = () => new Promise<never>(() => {});
const dropped = async () => {
  throw new Error('The wallet session dropped unexpectedly (1006: ).');
};

function start(overrides: Overrides) {
  const doubles = createPaymentDoubles({ payByWallet: async () => SIGNATURE, ...overrides });
  const { progress, controls, stop } = recordProgress();
  const run = async (pending?: PendingPayment) => {
    if (pending) doubles.dependencies.save(pending);
    const shown = termsShownAt(doubles.now());
    const request = pending
      ? ({ kind: 'resume', pending } as const)
      : ({ kind: 'new', callerId: CALLER, shown } as const);
    return payCaller(request, doubles.dependencies, controls);
  };
  return { ...doubles, progress, stop, run };
}

it('payByWallet sends nothing itself and claims the payment with the wallet’s signature', async () => {
  const { run, log, claims, saved, progress } = start({});
  const outcome = await run();
  expect(log).toEqual(['openIntent', 'buildPayment', 'payByWallet', 'claimSubscription']);
  expect(claims).toMatchObject([{ callerId: CALLER, totalAmount: '1', transactionId: SIGNATURE }]);
  expect(outcome).toMatchObject({ status: 'complete', receipt: { signature: SIGNATURE } });
  expect(progress.map(({ step }) => step)).toEqual(['intent', 'sign', 'confirm']);
  expect(saved()).toBeNull();
});

it('payByWallet stores the payment before the wallet prompt and its signature before the claim', async () => {
  const savedAt: Record<string, PendingPayment | null> = {};
  const doubles = start({
    payByWallet: async () => {
      savedAt['requested'] = doubles.saved();
      return SIGNATURE;
    },
    claimSubscription: async () => {
      savedAt['claimed'] = doubles.saved();
      return subscription;
    },
  });
  await doubles.run();
  expect(savedAt).toMatchObject({
    requested: { signature: null, intent: { id: 'intent-1' } },
    claimed: { signature: SIGNATURE },
  });
});

it('payByWallet repeats the claim until the server sees the payment', async () => {
  const { run, count } = start({
    claimSubscription: replies<Subscription | null>(null, null, subscription),
  });
  expect((await run()).status).toBe('complete');
  expect(count('claimSubscription')).toBe(3);
  expect(count('payByWallet')).toBe(1);
});

it.each([
  ['declines', Object.assign(new Error('x'), { code: 4001 }), 'You declined the payment in your wallet.'],
  ['is locked', Object.assign(new Error('x'), { code: 4100 }), 'Your wallet is locked'],
  ['is busy', Object.assign(new Error('x'), { code: -32002 }), 'Your wallet is showing another request.'],
])(
  'payByWallet removes the stored payment if the wallet %s, so the user can pay again',
  async (_what, refusal, reason) => {
    const { run, saved } = start({ payByWallet: replies<string | null>(refusal) });
    const outcome = await run();
    expect(outcome).toMatchObject({ status: 'failed', title: 'Payment failed', pending: null });
    expect(outcome).toHaveProperty('reason', expect.stringContaining(reason));
    expect(outcome).toHaveProperty('opened.payer', PAYER);
    expect(saved()).toBeNull();
  },
);

it.each([
  ['the connection to the wallet is lost', dropped],
  ['the wallet returns no signature', async () => null],
  [
    'the wallet reports a network error',
    async () => {
      throw new Error('Network request failed');
    },
  ],
])('payByWallet searches for the payment if %s', async (_what, payByWallet) => {
  const found = paidPeriod('new');
  const { run, saved, progress } = start({
    payByWallet,
    searchPayment: replies<Subscription | null>(null, null, found),
  });
  const receipt = { signature: SIGNATURE, subscription: found };
  expect(await run()).toMatchObject({ status: 'complete', receipt });
  expect(progress.at(-1)).toMatchObject({ step: 'confirm', isSearching: true });
  expect(saved()).toBeNull();
});

it('a payment that payByWallet can’t find stays pending, and the wallet is prompted only once', async () => {
  const { run, saved, count } = start({ payByWallet: dropped });
  const outcome = await run();
  expect(outcome).toMatchObject({ status: 'failed', title: 'Payment not confirmed yet' });
  expect(SEARCH_RETRY_MS.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThan(14 * 60_000);
  const pending = saved();
  expect(pending).toMatchObject({ signature: null });
  expect((await run(pending ?? undefined)).status).toBe('failed');
  expect(count('payByWallet')).toBe(1);
});

it('payByWallet shows why the server refuses a payment that the search has found on the chain', async () => {
  const refused = apiError(422, 'payments.wrong_amount', 'Wrong amount.');
  const { run, saved, count } = start({
    payByWallet: dropped,
    searchPayment: replies<Subscription | null>(null, refused),
  });
  expect(await run()).toMatchObject({
    title: 'Subscription failed',
    reason:
      "Wrong amount. Your payment is on the chain. Don't pay again. " +
      "We review every payment that didn't start a subscription.",
  });
  expect(saved()).toMatchObject({ signature: null });
  expect(count('searchPayment')).toBe(2);
});

it('payByWallet stores a signature that the wallet returns after the user stopped waiting', async () => {
  let approve = (_signature: string) => {};
  const { run, stop, saved } = start({
    payByWallet: () =>
      new Promise((resolve) => {
        approve = resolve;
        queueMicrotask(stop);
      }),
  });
  const outcome = await run();
  expect(outcome).toMatchObject({ title: 'Payment not confirmed yet', pending: { signature: null } });
  approve(SIGNATURE);
  await new Promise((resolve) => setTimeout(resolve));
  expect(saved()).toMatchObject({ signature: SIGNATURE });
});

it('payByWallet starts no payment while another payment to the caller is unfinished', async () => {
  const { run, count } = start({ find: () => walletPayment, payByWallet: never });
  expect(await run()).toMatchObject({ title: 'Payment not confirmed yet', pending: walletPayment });
  expect(count('payByWallet')).toBe(0);
});

const expired = 'The transaction expired before it reached the chain. Nothing was paid. You can pay again.';
it.each([
  [400, { title: 'Payment not confirmed yet', pending: walletPayment }],
  [401, { title: 'Payment failed', reason: expired, pending: null }],
])(
  'findWalletPayment removes a payment only long after its last valid block (block height %i)',
  async (height, outcome) => {
    const { run, saved } = start({
      claimSubscription: async () => null,
      openIntent: async () => atHeight(height),
    });
    expect(await run(walletPayment)).toMatchObject(outcome);
    expect(saved()).toEqual(outcome.pending);
  },
);

it('findWalletPayment removes a payment that failed on the chain, but not a payment that the server refuses', async () => {
  const failed = apiError(422, 'payments.failed_on_chain', 'Failed.');
  const refused = apiError(422, 'payments.wrong_amount', 'Wrong amount.');
  const claim = async (error: Error) =>
    start({ claimSubscription: replies<Subscription | null>(error) }).run(walletPayment);
  expect(await claim(failed)).toMatchObject({ title: 'Payment failed', pending: null });
  expect(await claim(refused)).toMatchObject({ title: 'Subscription failed', pending: walletPayment });
});
