import { describe, expect, it } from 'vitest';
import type {
  ConfirmTransactionAnswer,
  OpenIntentAnswer,
  SendTransactionAnswer,
} from '#schema/contracts/payments.ts';
import type { Subscription } from '#schema/contracts/subscriptions.ts';
import { WalletError } from '#web/lib/wallets/wallet-errors.ts';
import { CONFIRM_RETRY_MS, DISCONNECTED_RETRY_MS, SEND_RETRY_MS } from './finish-payment.ts';
import {
  answers,
  apiError,
  connectionLost,
  failedOnChain,
  intentAnswer,
  landed,
  paidPeriod,
  PAYER,
  recordProgress,
  createPaymentDoubles,
  termsShownAt,
  SIGNATURE,
  subscription,
} from './payment-test-doubles.ts';
import type { PaymentOutcome, PaymentRequest, PendingPayment, SignedPayment } from './payment-types.ts';
import { FRESH_INTENT_MS, payCaller, SLOW_MS } from './pay-caller.ts';

const CALLER = 'caller-1';
type Overrides = Parameters<typeof createPaymentDoubles>[0];
type PaymentDoubles = ReturnType<typeof createPaymentDoubles>;

async function pay(
  overrides: Overrides = {},
  request: Partial<Extract<PaymentRequest, { kind: 'new' }>> = {},
) {
  const doubles = createPaymentDoubles(overrides);
  const { progress, controls } = recordProgress();
  const outcome = await payCaller(
    { kind: 'new', callerId: CALLER, shown: termsShownAt(doubles.now()), ...request },
    doubles.dependencies,
    controls,
  );
  return { ...doubles, steps: progress.map(({ step }) => step), outcome };
}

async function resume(pending: Partial<SignedPayment> = {}, overrides: Overrides = {}) {
  const doubles = createPaymentDoubles(overrides);
  const signed: SignedPayment = {
    callerId: CALLER,
    intent: intentAnswer().intent,
    signature: SIGNATURE,
    transaction: 'AQID',
    openedAt: doubles.now(),
    hasLanded: false,
    ...pending,
  };
  doubles.dependencies.keep(signed);
  const outcome = await payCaller(
    { kind: 'resume', pending: signed },
    doubles.dependencies,
    recordProgress().controls,
  );
  return { ...doubles, outcome };
}

/** Presses Pay again, as a user would. This resumes a stored payment. If there is none, it starts a new one. */
async function pressAgain(
  { dependencies, kept }: PaymentDoubles,
  outcome: PaymentOutcome,
): Promise<PaymentOutcome> {
  const pending = kept();
  const opened = outcome.status === 'failed' ? outcome.opened : null;
  const request: PaymentRequest = pending
    ? { kind: 'resume', pending }
    : { kind: 'new', callerId: CALLER, shown: opened ?? termsShownAt(dependencies.now()) };
  return payCaller(request, dependencies, recordProgress().controls);
}

const confirms = (...list: readonly (ConfirmTransactionAnswer | null | Error)[]) =>
  answers<ConfirmTransactionAnswer | null>(...list);
const claimsOf = (...list: readonly (Subscription | null | Error)[]) => answers<Subscription | null>(...list);
const sends = (...list: readonly (SendTransactionAnswer | Error)[]) =>
  answers<SendTransactionAnswer>(...list);
const opens = (...list: readonly (OpenIntentAnswer | Error)[]) => answers<OpenIntentAnswer>(...list);

const accepted = { result: SIGNATURE };
const expired = apiError(
  409,
  'payments.expired',
  'The transaction expired. Nothing was paid: you can pay again.',
);
const missing = apiError(
  422,
  'payments.intent_missing',
  'This transaction belongs to no payment that you have opened.',
);
const busy = apiError(502, 'chain.unavailable', 'The Solana network does not answer.');
const signedOut = apiError(401, 'auth.required', 'Unauthorized: please sign in.');
const rejected = apiError(422, 'payments.rejected_by_chain', 'Failed to send transaction: no.');
const alreadySent = apiError(
  409,
  'payments.already_sent',
  'Your earlier payment to this caller is still in progress.',
);

describe('a payment that succeeds', () => {
  it('reports every step, is sent once and ends with a receipt', async () => {
    const { outcome, steps, log, claims, kept } = await pay();
    expect(steps).toEqual(['intent', 'sign', 'send', 'confirm', 'activate']);
    expect(log).toEqual([
      'buildPayment',
      'signTransaction',
      'sendTransaction',
      'confirmTransaction',
      'claimSubscription',
    ]);
    expect(claims).toEqual([
      { callerId: CALLER, monthlyFee: '1', platformFee: '0.1', totalAmount: '1', transactionId: SIGNATURE },
    ]);
    expect(outcome).toMatchObject({
      status: 'complete',
      receipt: {
        signature: SIGNATURE,
        subscription,
        terms: {
          totalLamports: 1_000_000_000n,
          callerLamports: 900_000_000n,
          platformLamports: 100_000_000n,
        },
      },
    });
    expect(kept()).toBeNull();
  });

  it('is stored as base64 first, and then sent', async () => {
    let keptWhenSent: PendingPayment | null = null;
    let sent = '';
    const doubles = createPaymentDoubles({
      sendTransaction: async (transaction) => {
        sent = transaction;
        keptWhenSent = doubles.kept();
        return accepted;
      },
    });
    await payCaller(
      { kind: 'new', callerId: CALLER, shown: termsShownAt(doubles.now()) },
      doubles.dependencies,
      recordProgress().controls,
    );
    expect(sent).toBe(btoa('\x01\x02\x03\x09'));
    expect(keptWhenSent).toMatchObject({ signature: SIGNATURE, transaction: sent });
  });

  it('is checked and claimed again until the chain and the server see it', async () => {
    const { outcome, count } = await pay({
      confirmTransaction: confirms(null, null, landed),
      claimSubscription: claimsOf(null, subscription),
    });
    expect(outcome.status).toBe('complete');
    expect(count('confirmTransaction')).toBe(3);
    expect(count('claimSubscription')).toBe(2);
  });

  it('is retried after a lost connection and a network failure', async () => {
    const { outcome } = await pay({
      confirmTransaction: confirms(connectionLost, busy, landed),
      claimSubscription: claimsOf(busy, connectionLost, subscription),
    });
    expect(outcome.status).toBe('complete');
  });
});

describe('payCaller with an intent that is too old to sign', () => {
  const stale = termsShownAt(1_000_000 - FRESH_INTENT_MS - 1);

  it('opens a new intent with a fresh blockhash', async () => {
    const { log, outcome } = await pay({}, { shown: stale });
    expect(log[0]).toBe('openIntent');
    expect(outcome.status).toBe('complete');
  });

  it('signs at once if the network fee fell', async () => {
    const cheaper = opens(intentAnswer({ microLamports: 40_000n }));
    expect((await pay({ openIntent: cheaper }, { shown: stale })).outcome.status).toBe('complete');
  });

  it.each<[string, Overrides, RegExp]>([
    [
      'the new intent has another amount',
      { openIntent: opens(intentAnswer({ total: 2_000_000_000n })) },
      /^The payment details changed. Nothing was paid/,
    ],
    [
      'the new intent has another recipient',
      { openIntent: opens(intentAnswer({ callerAddress: 'Stake11111111111111111111111111111111111111' })) },
      /^The payment details changed/,
    ],
    [
      'another tab has paid meanwhile',
      { listOwnPeriods: async () => [paidPeriod('new')] },
      /^You've already subscribed in another tab or on another device. Nothing was paid this time/,
    ],
    [
      'the wallet no longer holds enough',
      { openIntent: opens({ ...intentAnswer(), payerLamports: '1' }) },
      /^You need 1\.000014999 SOL more/,
    ],
    [
      'the network fee rose',
      { openIntent: opens(intentAnswer({ microLamports: 60_000n })) },
      /^The network fee rose\. Nothing was paid/,
    ],
  ])('returns the new terms instead of signing when %s', async (_what, overrides, reason) => {
    const { log, outcome } = await pay(overrides, { shown: stale });
    expect(outcome).toMatchObject({
      status: 'failed',
      title: 'Payment failed',
      reason: expect.stringMatching(reason),
      pending: null,
      opened: { openedAt: 1_000_000 },
    });
    expect(log).toEqual(['openIntent']);
  });

  it("fails without signing while another tab's payment is in progress", async () => {
    const before = [paidPeriod('old')];
    const { log, outcome } = await pay(
      { openIntent: opens(alreadySent), listOwnPeriods: async () => before },
      { shown: stale },
    );
    expect(outcome).toMatchObject({
      status: 'failed',
      pending: null,
      opened: null,
      otherPayment: { reason: 'Your earlier payment to this caller is still in progress.', periods: before },
    });
    expect(log).toEqual(['openIntent']);
  });
});

describe('payCaller before the signature', () => {
  const stale = termsShownAt(0);
  const walletError = (code: number | undefined, message: string) =>
    Object.assign(new Error(message), { code });

  it.each<[string, Overrides, string]>([
    [
      'the intent is refused',
      {
        openIntent: opens(apiError(422, 'payments.payout_wallet_missing', 'This caller cannot be paid yet.')),
      },
      'This caller cannot be paid yet.',
    ],
    [
      'the intent request gets no response',
      { openIntent: opens(connectionLost) },
      "The server didn't answer. Check your connection and try again. Nothing was paid.",
    ],
    [
      'the intent request fails without a reason',
      { openIntent: opens(new Error('No JSON.')) },
      "The payment couldn't be prepared. Nothing was paid. Try again.",
    ],
    [
      'the transaction cannot be built',
      { buildPayment: answers(new Error('does not match')) as never },
      "Couldn't create the transaction. Nothing was paid. Reload the page and try again.",
    ],
    [
      'the user declines',
      { signTransaction: answers(walletError(4001, 'User rejected the request.')) as never },
      'You declined the payment in your wallet. Nothing was paid. Press Pay to try again.',
    ],
    [
      'the user declines without an error code',
      { signTransaction: answers(walletError(undefined, 'Transaction cancelled')) as never },
      'You declined the payment in your wallet. Nothing was paid. Press Pay to try again.',
    ],
    [
      'the wallet is locked',
      {
        signTransaction: answers(
          walletError(4100, 'The requested method has not been authorized by the user.'),
        ) as never,
      },
      "Your wallet is locked or hasn't given this site access to the account. Unlock it, allow access, then press Pay again. Nothing was paid.",
    ],
    [
      'a hardware wallet is locked',
      { signTransaction: answers(walletError(undefined, 'Ledger is locked')) as never },
      "Your wallet is locked or hasn't given this site access to the account. Unlock it, allow access, then press Pay again. Nothing was paid.",
    ],
    [
      'the wallet is on another network',
      { signTransaction: answers(walletError(undefined, 'Network mismatch')) as never },
      "Your wallet is set to another Solana network or can't reach Solana. Choose Mainnet in its settings, then press Pay again. Nothing was paid.",
    ],
    [
      'the wallet shows another request',
      { signTransaction: answers(walletError(-32002, 'Request already pending')) as never },
      'Your wallet is showing another request. Finish or close it, then press Pay again. Nothing was paid.',
    ],
    [
      'the wallet is no longer connected',
      { signTransaction: answers(new WalletError('No connected wallet found')) as never },
      'No connected wallet found. Nothing was paid.',
    ],
    [
      'the wallet fails',
      { signTransaction: answers(walletError(-32603, 'Something went wrong')) as never },
      "Your wallet didn't sign the payment. Nothing was paid. Press Pay to try again.",
    ],
    [
      'the wallet returns the transaction unsigned',
      { readSignature: async () => null },
      "Your wallet didn't sign the payment. Nothing was paid. Press Pay to try again.",
    ],
  ])('stores and sends nothing when %s', async (_what, overrides, reason) => {
    const { outcome, kept, log } = await pay(overrides, { shown: stale });
    expect(outcome).toMatchObject({ status: 'failed', title: 'Payment failed', reason, pending: null });
    expect(kept()).toBeNull();
    expect(log).not.toContain('sendTransaction');
  });

  it('stores and sends nothing when the wallet signs after the user has stopped waiting', async () => {
    let sign = (_signed: Uint8Array) => {};
    const doubles = createPaymentDoubles({
      signTransaction: () => new Promise((resolve) => (sign = resolve)),
    });
    const { progress, stop, controls } = recordProgress();
    const run = payCaller(
      { kind: 'new', callerId: CALLER, shown: termsShownAt(doubles.now()) },
      doubles.dependencies,
      controls,
    );
    await expect.poll(() => doubles.log).toContain('signTransaction');
    stop();
    const outcome = await run;
    expect(outcome).toMatchObject({
      status: 'failed',
      reason: expect.stringMatching(/^You stopped waiting for your wallet. Nothing was paid/),
      pending: null,
    });
    sign(Uint8Array.of(1));
    await Promise.resolve();
    expect(doubles.log).toEqual(['buildPayment', 'signTransaction']);
    expect(doubles.kept()).toBeNull();
    expect(progress.at(-1)?.step).toBe('sign');
  });

  it('does not ask the wallet when another tab has signed', async () => {
    const other: SignedPayment = {
      callerId: CALLER,
      intent: intentAnswer().intent,
      signature: '4'.repeat(87),
      transaction: 'AQID',
      openedAt: 1_000_000,
      hasLanded: false,
    };
    const { outcome, log } = await pay({ find: () => other });
    expect(outcome).toMatchObject({ status: 'failed', title: 'Payment not confirmed yet', pending: other });
    expect(log).not.toContain('signTransaction');
  });
});

describe('a slow payment', () => {
  it.each([
    ['sign', (gate: Promise<never>): Overrides => ({ signTransaction: () => gate })],
    ['send', (gate: Promise<never>): Overrides => ({ sendTransaction: () => gate })],
    ['confirm', (gate: Promise<never>): Overrides => ({ confirmTransaction: () => gate })],
    ['activate', (gate: Promise<never>): Overrides => ({ claimSubscription: () => gate })],
  ] as const)('reports once that the %s step is slow', async (step, hold) => {
    let release = (_error: Error) => {};
    const doubles = createPaymentDoubles(hold(new Promise((_resolve, reject) => (release = reject))));
    const { progress, controls } = recordProgress();
    const run = payCaller(
      { kind: 'new', callerId: CALLER, shown: termsShownAt(doubles.now()) },
      doubles.dependencies,
      controls,
    );
    await expect.poll(() => progress.at(-1)?.step).toBe(step);
    expect(progress.every(({ isSlow }) => !isSlow)).toBe(true);
    expect(doubles.waitedFor()).toEqual([SLOW_MS]);
    doubles.slowDown();
    expect(progress.at(-1)).toEqual({ step, isSlow: true });
    release(signedOut);
    await run;
    expect(doubles.waitedFor()).toEqual([]);
  });
});

describe('payCaller after the signature', () => {
  const reportedFailed = apiError(422, 'payments.failed_on_chain', 'x');
  const wrongAmount = apiError(422, 'payments.wrong_amount', 'The amount is not the one agreed.');
  const tooLate = apiError(409, 'payments.blockhash_expired', 'x');

  it.each<[what: string, overrides: Overrides, title: string, text: string, isKept: boolean]>([
    [
      'the send is refused and the payment has expired',
      { sendTransaction: sends(rejected, accepted), confirmTransaction: confirms(expired, landed) },
      'Payment failed',
      'Failed to send transaction: no.',
      false,
    ],
    [
      'the send is refused and the server never got it',
      {
        sendTransaction: sends(apiError(422, 'payments.wrong_amount', 'Wrong amount.'), accepted),
        confirmTransaction: confirms(missing, landed),
      },
      'Payment failed',
      'Wrong amount.',
      false,
    ],
    [
      'the blockhash expired while the wallet waited',
      { sendTransaction: sends(tooLate, accepted), confirmTransaction: confirms(expired, landed) },
      'Payment failed',
      'Signing took too long. Nothing was paid. Press Pay again.',
      false,
    ],
    [
      'the intent expired while the wallet waited',
      {
        sendTransaction: sends(
          apiError(409, 'payments.intent_expired', 'Opened over ten minutes ago.'),
          accepted,
        ),
        confirmTransaction: confirms(missing, landed),
      },
      'Payment failed',
      'Opened over ten minutes ago.',
      false,
    ],
    [
      'a durable nonce is refused',
      {
        sendTransaction: sends(apiError(422, 'payments.durable_nonce', 'It would never expire.'), accepted),
        confirmTransaction: confirms(missing, landed),
      },
      'Payment failed',
      'It would never expire.',
      false,
    ],
    [
      'the send is refused and the status is unknown',
      { sendTransaction: sends(rejected), confirmTransaction: confirms(connectionLost) },
      'Payment not confirmed yet',
      'Failed to send transaction: no. You can check this payment again',
      true,
    ],
    [
      'the send is refused by a proxy',
      {
        sendTransaction: sends(apiError(403, 'request.cross_site', 'No.')),
        confirmTransaction: confirms(apiError(403, 'request.cross_site', 'No.')),
      },
      'Payment not confirmed yet',
      'No. You can check this payment again',
      true,
    ],
    [
      'the send is refused but an earlier one succeeded',
      { sendTransaction: sends(rejected), confirmTransaction: confirms(null) },
      'Payment not confirmed yet',
      "Solana hasn't confirmed your payment",
      true,
    ],
    [
      'the send gets no response and the status is unknown',
      { sendTransaction: sends(connectionLost), confirmTransaction: confirms(connectionLost) },
      'Payment not confirmed yet',
      'Failed to send transaction: no connection to the server. You can check this payment again',
      true,
    ],
    [
      'the send gets no response and the server never got it',
      { sendTransaction: sends(connectionLost), confirmTransaction: confirms(missing) },
      'Payment not confirmed yet',
      'Failed to send transaction: no connection to the server. You can check this payment again',
      true,
    ],
    [
      'the send gets no response and the payment has expired',
      { sendTransaction: sends(connectionLost, accepted), confirmTransaction: confirms(expired, landed) },
      'Payment failed',
      'Nothing was paid: you can pay again.',
      false,
    ],
    [
      'the send gets no response and the payment failed on the chain',
      {
        sendTransaction: sends(connectionLost, accepted),
        confirmTransaction: confirms(failedOnChain, landed),
      },
      'Payment failed',
      'Transaction failed on blockchain',
      false,
    ],
    [
      'the network is unavailable and the payment stays pending',
      { sendTransaction: sends(busy), confirmTransaction: confirms(null) },
      'Payment not confirmed yet',
      "Solana hasn't confirmed your payment yet",
      true,
    ],
    [
      'the session is over before the send',
      { sendTransaction: sends(signedOut), confirmTransaction: confirms(signedOut) },
      'Payment not confirmed yet',
      'Unauthorized: please sign in.',
      true,
    ],
    [
      'the payment failed on the chain',
      { confirmTransaction: confirms(failedOnChain, landed) },
      'Payment failed',
      'Transaction failed on blockchain',
      false,
    ],
    [
      'the status check says that the payment failed on the chain',
      { confirmTransaction: confirms(reportedFailed, landed) },
      'Payment failed',
      'Transaction failed on blockchain',
      false,
    ],
    [
      'the payment expires after two checks',
      { confirmTransaction: confirms(null, null, expired, landed) },
      'Payment failed',
      'The transaction expired. Nothing was paid: you can pay again.',
      false,
    ],
    [
      'the payment stays pending',
      { confirmTransaction: confirms(null) },
      'Payment not confirmed yet',
      'If it goes through, your subscription starts automatically',
      true,
    ],
    [
      'no status check gets a response',
      { confirmTransaction: confirms(connectionLost) },
      'Payment not confirmed yet',
      'Failed to confirm transaction',
      true,
    ],
    [
      'the session ends before the status check',
      { confirmTransaction: confirms(signedOut) },
      'Payment not confirmed yet',
      'Unauthorized: please sign in.',
      true,
    ],
    [
      'the server never got the payment',
      { confirmTransaction: confirms(missing) },
      'Payment not confirmed yet',
      "Your payment hasn't reached our server, so it hasn't been sent yet.",
      true,
    ],
    [
      'the claim is refused',
      { claimSubscription: claimsOf(wrongAmount) },
      'Subscription failed',
      "The amount is not the one agreed. Your payment is on the chain. Don't pay again",
      true,
    ],
    [
      'the claim gets no response',
      { claimSubscription: claimsOf(connectionLost) },
      'Subscription failed',
      'The subscription is not active yet. Your payment is on the chain and is credited automatically',
      true,
    ],
    [
      'the claim stays pending',
      { claimSubscription: claimsOf(null) },
      'Subscription failed',
      'The subscription is not active yet.',
      true,
    ],
    [
      'the claim finds that the payment failed',
      { claimSubscription: claimsOf(reportedFailed, subscription) },
      'Payment failed',
      'Transaction failed on blockchain',
      false,
    ],
  ])(
    '[8.10-8.12, 8.16] stores the payment only if it may still land: %s',
    async (_what, overrides, title, text, isKept) => {
      const doubles = await pay(overrides);
      const { outcome, kept, count } = doubles;
      expect(outcome).toMatchObject({ status: 'failed', title, reason: expect.stringContaining(text) });
      expect(outcome.status === 'failed' && outcome.pending?.signature).toBe(isKept ? SIGNATURE : undefined);
      expect(kept()?.signature).toBe(isKept ? SIGNATURE : undefined);
      expect(count('signTransaction')).toBe(1);
      await pressAgain(doubles, outcome);
      expect(count('signTransaction')).toBe(isKept ? 1 : 2);
    },
  );

  it.each<[what: string, overrides: Overrides]>([
    [
      'sends again when the first attempt was lost',
      { sendTransaction: sends(connectionLost, accepted), confirmTransaction: confirms(missing, landed) },
    ],
    [
      'continues when only the response was lost',
      { sendTransaction: sends(connectionLost), confirmTransaction: confirms(landed) },
    ],
    [
      'continues when the send was refused but the payment landed',
      { sendTransaction: sends(rejected), confirmTransaction: confirms(landed) },
    ],
    [
      'continues when the send was refused but the payment is pending',
      { sendTransaction: sends(rejected), confirmTransaction: confirms(null, null, landed) },
    ],
  ])('asks for one signature and %s', async (_what, overrides) => {
    const { outcome, count, kept } = await pay(overrides);
    expect(outcome).toMatchObject({ status: 'complete', receipt: { signature: SIGNATURE } });
    expect(count('signTransaction')).toBe(1);
    expect(kept()).toBeNull();
  });

  it.each([
    'payments.blockhash_expired',
    'payments.rejected_by_chain',
    'payments.intent_expired',
    'payments.durable_nonce',
  ] as const)('opens a new intent for the next attempt after %s', async (code) => {
    const next = {
      ...intentAnswer(),
      result: { value: { blockhash: 'another', lastValidBlockHeight: 200 } },
    };
    const inputs: unknown[] = [];
    const { outcome, log } = await pay({
      sendTransaction: sends(apiError(409, code, 'Refused.')),
      confirmTransaction: confirms(missing),
      openIntent: async (input) => {
        inputs.push(input);
        return next;
      },
    });
    expect(outcome).toMatchObject({
      status: 'failed',
      pending: null,
      opened: { answer: next, payer: PAYER, openedAt: 1_000_000 },
    });
    expect(inputs).toEqual([{ callerId: CALLER, payerAddress: PAYER }]);
    expect(log.at(-1)).toBe('openIntent');
  });

  it('returns no intent for the next attempt when none can be opened', async () => {
    const { outcome } = await pay({
      sendTransaction: sends(rejected),
      confirmTransaction: confirms(expired),
      openIntent: opens(connectionLost),
    });
    expect(outcome).toMatchObject({ reason: 'Failed to send transaction: no.', opened: null });
  });

  it('reports the missing amount when the send is refused for insufficient funds', async () => {
    const { outcome } = await pay({
      sendTransaction: sends(apiError(422, 'payments.insufficient_funds', 'The wallet holds too little.')),
      confirmTransaction: confirms(expired),
      openIntent: opens({ ...intentAnswer(), payerLamports: '400000000' }),
    });
    expect(outcome).toMatchObject({
      reason: 'You need 0.600015 SOL more, including the network fee.',
      pending: null,
    });
  });

  it.each(['payments.intent_paid', 'payments.already_sent'] as const)(
    'opens no new intent after %s, because the payment exists',
    async (code) => {
      const periods = [paidPeriod('old')];
      const { outcome, kept, log } = await pay(
        {
          sendTransaction: sends(apiError(409, code, 'Paid in another tab.')),
          confirmTransaction: confirms(missing),
        },
        { shown: { ...termsShownAt(1_000_000), periods } },
      );
      expect(outcome).toEqual({
        status: 'failed',
        title: 'Payment failed',
        reason: 'Paid in another tab.',
        pending: null,
        opened: null,
        otherPayment: { reason: 'Paid in another tab.', periods },
      });
      expect(log).not.toContain('openIntent');
      expect(kept()).toBeNull();
    },
  );

  it('reports another payment in progress when no new intent can be opened', async () => {
    const { outcome, kept } = await pay({
      sendTransaction: sends(rejected),
      confirmTransaction: confirms(expired),
      openIntent: opens(alreadySent),
    });
    expect(outcome).toMatchObject({
      pending: null,
      opened: null,
      otherPayment: { reason: 'Your earlier payment to this caller is still in progress.' },
    });
    expect(kept()).toBeNull();
  });

  it('sends nothing when another tab signs while the wallet prompt is open', async () => {
    const other: SignedPayment = {
      callerId: CALLER,
      intent: intentAnswer().intent,
      signature: '4'.repeat(87),
      transaction: 'AQID',
      openedAt: 1_000_000,
      hasLanded: false,
    };
    const { outcome, log } = await pay({ find: answersNow(null, other) });
    expect(outcome).toMatchObject({ status: 'failed', pending: other });
    expect(log).toContain('signTransaction');
    expect(log).not.toContain('sendTransaction');
  });

  it('stops checking a pending payment within two minutes', async () => {
    const { count, now } = await pay({ confirmTransaction: confirms(null) });
    expect(count('confirmTransaction')).toBe(CONFIRM_RETRY_MS.length + 1);
    expect(now() - 1_000_000).toBeLessThan(2 * 60_000);
  });

  it('leaves sending to the server when Solana does not answer, and reports that the server keeps sending', async () => {
    const doubles = createPaymentDoubles({
      sendTransaction: sends(busy),
      confirmTransaction: confirms(busy, busy, null, landed),
    });
    const { progress, controls } = recordProgress();
    const outcome = await payCaller(
      { kind: 'new', callerId: CALLER, shown: termsShownAt(doubles.now()) },
      doubles.dependencies,
      controls,
    );
    expect(outcome.status).toBe('complete');
    expect(doubles.count('sendTransaction')).toBe(1);
    expect(progress).toContainEqual({ step: 'confirm', isSlow: false, isResending: true });
  });

  it('does not say that Solana refused the payment when only the response was lost', async () => {
    const doubles = createPaymentDoubles({
      sendTransaction: sends(connectionLost),
      confirmTransaction: confirms(null, landed),
    });
    const { progress, controls } = recordProgress();
    await payCaller(
      { kind: 'new', callerId: CALLER, shown: termsShownAt(doubles.now()) },
      doubles.dependencies,
      controls,
    );
    expect(doubles.count('sendTransaction')).toBe(1);
    expect(progress).toContainEqual({ step: 'confirm', isSlow: false });
  });

  it('keeps sending a signed payment while there is no connection', async () => {
    const lost = Array.from({ length: SEND_RETRY_MS.length + 3 }, () => connectionLost);
    const doubles = createPaymentDoubles({
      sendTransaction: sends(...lost, accepted),
      confirmTransaction: confirms(...lost, landed),
    });
    const { progress, controls } = recordProgress();
    const outcome = await payCaller(
      { kind: 'new', callerId: CALLER, shown: termsShownAt(doubles.now()) },
      doubles.dependencies,
      controls,
    );
    expect(outcome.status).toBe('complete');
    expect(progress).toContainEqual({ step: 'send', isSlow: false, isDisconnected: true });
  });

  it.each([
    ['without a connection', connectionLost, DISCONNECTED_RETRY_MS.length + 1],
    ['while the server is broken', apiError(500, 'server.failed', 'Broken.'), SEND_RETRY_MS.length + 1],
  ])('stops sending after the last retry %s', async (_when, error, times) => {
    const { count } = await pay({ sendTransaction: sends(error), confirmTransaction: confirms(error) });
    expect(count('sendTransaction')).toBe(times);
  });

  it('marks the stored payment as landed', async () => {
    const { kept } = await pay({ claimSubscription: claimsOf(null) });
    expect(kept()).toMatchObject({ hasLanded: true, signature: SIGNATURE });
  });
});

describe('payCaller with a signed payment', () => {
  it.each<[string, Partial<SignedPayment>, Overrides, readonly string[]]>([
    ['only claims a landed payment', { hasLanded: true }, {}, ['confirmTransaction', 'claimSubscription']],
    [
      'claims a landed payment when the status is unknown',
      { hasLanded: true },
      { confirmTransaction: confirms(busy) },
      ['confirmTransaction', 'claimSubscription'],
    ],
    [
      'sends a landed payment again after a fork dropped it',
      { hasLanded: true },
      { confirmTransaction: confirms(null, landed) },
      ['confirmTransaction', 'sendTransaction', 'confirmTransaction', 'claimSubscription'],
    ],
    [
      'does not send a payment that the server has',
      {},
      { confirmTransaction: confirms(null, landed) },
      ['confirmTransaction', 'confirmTransaction', 'claimSubscription'],
    ],
    ['does not send a payment that is on the chain', {}, {}, ['confirmTransaction', 'claimSubscription']],
    [
      'sends a payment that the server never got',
      {},
      { confirmTransaction: confirms(missing, landed) },
      ['confirmTransaction', 'sendTransaction', 'confirmTransaction', 'claimSubscription'],
    ],
    [
      'keeps checking a dropped payment when sending it again is refused',
      { hasLanded: true },
      {
        confirmTransaction: confirms(null, null, landed),
        sendTransaction: sends(apiError(409, 'payments.intent_expired', 'Expired.')),
      },
      [
        'confirmTransaction',
        'sendTransaction',
        'confirmTransaction',
        'confirmTransaction',
        'claimSubscription',
      ],
    ],
    [
      'sends again when the first status check gets no response',
      {},
      { confirmTransaction: confirms(connectionLost, landed) },
      ['confirmTransaction', 'sendTransaction', 'confirmTransaction', 'claimSubscription'],
    ],
  ])('%s, and does not sign again', async (_what, pending, overrides, expected) => {
    const { outcome, log, claims } = await resume(pending, overrides);
    expect(outcome).toMatchObject({ status: 'complete', receipt: { signature: SIGNATURE } });
    expect(log).toEqual(expected);
    expect(claims).toMatchObject([{ transactionId: SIGNATURE }]);
  });

  const anHourAgo = 1_000_000 - 60 * 60_000;

  it.each<[what: string, pending: Partial<SignedPayment>, overrides: Overrides, text: string]>([
    [
      'the payment has expired',
      {},
      { confirmTransaction: confirms(expired) },
      'Nothing was paid: you can pay again.',
    ],
    [
      'the server never got it and refuses to send it',
      { openedAt: anHourAgo },
      {
        confirmTransaction: confirms(missing),
        sendTransaction: sends(apiError(409, 'payments.intent_expired', 'Opened over ten minutes ago.')),
      },
      'Opened over ten minutes ago.',
    ],
    [
      'the server never got it and the cluster rejects it',
      {},
      {
        confirmTransaction: confirms(missing, expired),
        sendTransaction: sends(apiError(409, 'payments.blockhash_expired', 'x')),
      },
      'Signing took too long.',
    ],
    [
      'a fork dropped it and it expired',
      { hasLanded: true },
      { confirmTransaction: confirms(null, expired) },
      'Nothing was paid: you can pay again.',
    ],
    [
      'it failed on the chain',
      {},
      { confirmTransaction: confirms(failedOnChain) },
      'Transaction failed on blockchain',
    ],
  ])('removes the stored payment when %s', async (_what, pending, overrides, text) => {
    const { outcome, kept } = await resume(pending, overrides);
    expect(outcome).toMatchObject({
      status: 'failed',
      title: 'Payment failed',
      reason: expect.stringContaining(text),
      pending: null,
      opened: null,
    });
    expect(kept()).toBeNull();
  });

  it('reports the other payment that makes the server refuse the send', async () => {
    const { outcome, kept } = await resume(
      {},
      {
        confirmTransaction: confirms(missing),
        sendTransaction: sends(apiError(409, 'payments.intent_paid', 'Paid in another tab.')),
      },
    );
    expect(outcome).toMatchObject({
      reason: 'Paid in another tab.',
      otherPayment: { reason: 'Paid in another tab.', periods: null },
      pending: null,
    });
    expect(kept()).toBeNull();
  });

  it.each<[string, Overrides]>([
    [
      'the send is refused and the payment is pending',
      { confirmTransaction: confirms(null), sendTransaction: sends(rejected) },
    ],
    [
      'the status is unknown',
      { confirmTransaction: confirms(connectionLost), sendTransaction: sends(rejected) },
    ],
    [
      'the server never got it and the network is unavailable',
      { confirmTransaction: confirms(missing), sendTransaction: sends(busy) },
    ],
    ['the session is over', { confirmTransaction: confirms(signedOut), sendTransaction: sends(signedOut) }],
  ])('keeps an old payment while %s', async (_what, overrides) => {
    const { outcome, kept } = await resume({ openedAt: anHourAgo }, overrides);
    expect(outcome).toMatchObject({
      status: 'failed',
      title: 'Payment not confirmed yet',
      pending: { signature: SIGNATURE },
    });
    expect(kept()?.signature).toBe(SIGNATURE);
  });
});

/** Like `answers`, but synchronous. */
function answersNow<T>(...list: readonly T[]) {
  let index = 0;
  return (): T => {
    const next = list[Math.min(index, list.length - 1)] as T;
    index += 1;
    return next;
  };
}
