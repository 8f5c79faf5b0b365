import { expect, it } from 'vitest';
import type { Subscription } from '#schema/contracts/subscriptions.ts';
import {
  replies,
  apiError,
  createPaymentDoubles,
  intentResponse,
  PAYER,
  recordProgress,
  subscription,
  termsShownAt,
} from './payment-test-doubles.ts';
import { SEARCH_RETRY_MS } from './find-payment.ts';
import { payCaller } from './pay-caller.ts';
import type { PendingPayment } from './payment-types.ts';

const CALLER = 'caller-1';
type Overrides = Parameters<typeof createPaymentDoubles>[0];

const { intent } = intentResponse();
const pending: PendingPayment = { callerId: CALLER, intent, openedAt: 1_000_000, hasLanded: false };
const BUSY = 'Your wallet is showing another request.';
const never = () => new Promise<never>(() => {});
const fails = (error: object) => async () => {
  throw Object.assign(new Error('The wallet session dropped unexpectedly (1006: ).'), error);
};
const dropped = fails({});

function start(overrides: Overrides = {}) {
  const doubles = createPaymentDoubles({ payByWallet: async () => {}, ...overrides });
  const { progress, controls, stop } = recordProgress();
  const run = async (resumed?: PendingPayment) => {
    if (resumed) doubles.dependencies.save(resumed);
    const shown = termsShownAt(doubles.now());
    const request = resumed
      ? ({ kind: 'resume', pending: resumed } as const)
      : ({ kind: 'new', callerId: CALLER, shown } as const);
    return payCaller(request, doubles.dependencies, controls);
  };
  return { ...doubles, progress, stop, run };
}

it('payByWallet stores the payment before the wallet prompt, and sends nothing itself', async () => {
  const savedAt: (PendingPayment | null)[] = [];
  const payByWallet = async () => void savedAt.push(doubles.saved());
  const doubles = start({ payByWallet });
  const { run, log, saved, progress } = doubles;
  expect(await run()).toEqual({ status: 'complete', subscription });
  expect(log).toEqual(['openIntent', 'buildPayment', 'payByWallet', 'searchPayment']);
  expect(progress.map(({ step }) => step)).toEqual(['intent', 'sign', 'confirm']);
  expect([savedAt, saved()]).toEqual([[pending], null]);
});

it.each([
  ['declines', { code: 4001 }, 'You declined the payment in your wallet.'],
  ['is locked', { code: 4100 }, 'Your wallet is locked'],
  ['can’t pay', { code: 4200 }, "Your wallet didn't sign the payment."],
  ['doesn’t know the method', { code: -32601 }, "Your wallet didn't sign the payment."],
  ['is busy', { code: -32002, message: 'Request already pending' }, BUSY],
  ['shows a dialog', { code: -32002, message: 'Requested resource not available.' }, BUSY],
])(
  'payByWallet removes the stored payment if the wallet %s, so the user can pay again',
  async (_what, error, reason) => {
    const { run, saved, count } = start({ payByWallet: fails({ message: 'x', ...error }) });
    const outcome = await run();
    expect(outcome).toMatchObject({ status: 'failed', title: 'Payment failed', pending: null });
    expect(outcome).toHaveProperty('reason', expect.stringContaining(reason));
    expect(outcome).toHaveProperty('opened.payer', PAYER);
    expect([saved(), count('searchPayment')]).toEqual([null, 0]);
  },
);

it.each([
  ['the connection to the wallet is lost', dropped],
  ['the wallet responds', async () => {}],
  ['the wallet reports a network error', fails({ message: 'Network request failed' })],
  ['a node’s error says rejected', fails({ code: -32005, message: 'RPC rejected it: Node is behind' })],
  ['a node’s error says denied', fails({ code: -32052, message: '403: access denied for this API key' })],
  ['the wallet cancels its own wait', fails({ code: -32603, message: 'Confirmation was cancelled' })],
  ['the session ends as cancelled', fails({ code: 'ERROR_SESSION_CLOSED', message: '1001: cancelled' })],
  ['the network rejects what a phone has sent', fails({ code: -4, message: 'rejected by the network' })],
  ['a simulation fails', fails({ code: -32002, message: 'Simulation failed: already been processed' })],
])('payByWallet searches by the intent if %s', async (_what, payByWallet) => {
  const { run, saved, searches, progress } = start({
    payByWallet,
    searchPayment: replies<Subscription | null>(null, null, subscription),
  });
  expect(await run()).toEqual({ status: 'complete', subscription });
  expect(searches).toEqual([intent.id, intent.id, intent.id]);
  expect(progress.at(-1)).toMatchObject({ step: 'confirm', isSearching: true });
  expect(saved()).toBeNull();
});

it('a payment that payByWallet can’t find stays pending, and the wallet is prompted only once', async () => {
  const { run, saved, count, now } = start({ searchPayment: async () => null });
  const outcome = await run();
  expect(outcome).toMatchObject({ status: 'failed', title: 'Payment not confirmed yet', pending });
  expect(outcome).toHaveProperty('reason', expect.not.stringContaining('Nothing was paid'));
  expect(now() - 1_000_000).toBeGreaterThan(14 * 60_000);
  expect(saved()).toEqual(pending);
  expect((await run(pending)).status).toBe('failed');
  expect(count('payByWallet')).toBe(1);
  expect(count('searchPayment')).toBe(2 * (SEARCH_RETRY_MS.length + 1));
});

it.each([
  ['payments.wrong_amount', 'Subscription failed', false],
  ['payments.unreadable', 'Paid, but not active yet', true],
] as const)(
  'payByWallet keeps a payment that is refused with %s; only an unreadable one counts as landed',
  async (code, title, hasLanded) => {
    const refused = apiError(409, code, 'X.');
    const { run, saved, count } = start({ searchPayment: replies<Subscription | null>(null, refused) });
    const kept = { ...pending, hasLanded };
    const outcome = await run();
    expect(outcome).toEqual({ status: 'failed', title, reason: 'X.', pending: kept });
    expect([saved(), count('searchPayment')]).toEqual([kept, 2]);
  },
);

it.each([
  ['the session has ended', apiError(401, 'auth.required', 'Please sign in.')],
  ['the server doesn’t know the intent', apiError(422, 'payments.intent_missing', 'Unknown.')],
])('payByWallet doesn’t say that the payment has landed or failed if %s', async (_what, error) => {
  const { run, saved } = start({ searchPayment: replies<never>(error) });
  const reason = expect.stringMatching(/^(Please sign in|Unknown)\. If your wallet sends the payment, your/);
  expect(await run()).toMatchObject({ title: 'Payment not confirmed yet', reason, pending });
  expect(saved()).toEqual(pending);
});

it('payByWallet searches once more when the user stops waiting for the wallet', async () => {
  const { run, stop, saved, searches } = start({
    payByWallet: () => {
      queueMicrotask(stop);
      return never();
    },
    searchPayment: async () => null,
  });
  expect(await run()).toMatchObject({ title: 'Payment not confirmed yet', pending });
  expect([searches, saved()]).toEqual([[intent.id], pending]);
});

it('payByWallet starts no payment while another payment to the caller is unfinished', async () => {
  const { run, count } = start({ find: () => pending, payByWallet: never });
  expect(await run()).toMatchObject({ title: 'Payment not confirmed yet', pending });
  expect(count('payByWallet')).toBe(0);
});
