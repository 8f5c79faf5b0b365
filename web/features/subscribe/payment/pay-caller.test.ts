import { describe, expect, it } from 'vitest';
import type { OpenIntentResponse } from '#schema/contracts/payments.ts';
import { WalletError } from '#web/lib/wallets/wallet-errors.ts';
import { CONFIRM_RETRY_MS, DISCONNECTED_RETRY_MS, SEND_RETRY_MS } from './finish-payment.ts';
import {
  replies,
  apiError,
  connectionLost,
  createPaymentDoubles,
  failedOnChain,
  intentResponse,
  landed,
  paidPeriod,
  PAYER,
  recordProgress,
  SIGNATURE,
  signedPayment,
  subscription,
  termsShownAt,
} from './payment-test-doubles.ts';
import { payCaller, SHOWN_FEE_MS, SLOW_CONNECTION_MS } from './pay-caller.ts';
import type { PendingPayment, SignedPayment } from './payment-types.ts';

const CALLER = 'caller-1';
type Overrides = NonNullable<Parameters<typeof createPaymentDoubles>[0]>;

/** The server's responses by name. Errors are thrown. */
const RESPONSES = {
  accepted: { result: SIGNATURE },
  landed,
  pending: null,
  active: subscription,
  failed: failedOnChain,
  lost: connectionLost,
  busy: apiError(502, 'chain.unavailable', 'The Solana network does not respond.'),
  broken: apiError(500, 'server.failed', 'Broken.'),
  signedOut: apiError(401, 'auth.required', 'Unauthorized: please sign in.'),
  crossSite: apiError(403, 'request.cross_site', 'No.'),
  expired: apiError(409, 'payments.expired', 'The transaction expired. You can pay again.'),
  missing: apiError(422, 'payments.intent_missing', 'This transaction belongs to no payment of yours.'),
  rejected: apiError(422, 'payments.rejected_by_chain', 'Failed to send transaction: no.'),
  reportedFailed: apiError(422, 'payments.failed_on_chain', 'x'),
  wrongAmount: apiError(422, 'payments.wrong_amount', 'Wrong amount.'),
  unreadable: apiError(409, 'payments.unreadable', "It has landed, but we can't read it yet."),
  released: apiError(409, 'payments.released', "We couldn't read it. You can pay again."),
  refunded: apiError(409, 'payments.refunded', 'It was refunded.'),
  tooLate: apiError(409, 'payments.blockhash_expired', 'x'),
  intentExpired: apiError(409, 'payments.intent_expired', 'Opened over ten minutes ago.'),
  intentPaid: apiError(409, 'payments.intent_paid', 'Paid in another tab.', { intentId: 'intent-2' }),
  alreadySent: apiError(409, 'payments.already_sent', 'Your earlier payment is still in progress.', {
    intentId: 'intent-2',
  }),
  durableNonce: apiError(422, 'payments.durable_nonce', 'It would never expire.'),
  tooPoor: apiError(422, 'payments.insufficient_funds', 'The wallet holds too little.'),
} as const;

/** The names of each request's responses, in order. The last one repeats. */
interface Responses {
  readonly open?: string;
  readonly send?: string;
  readonly confirm?: string;
  readonly search?: string;
}

function server({ open, send, confirm, search }: Responses): Overrides {
  const list = (names: string) =>
    replies(
      ...names.split(' ').map((name) => {
        if (!(name in RESPONSES)) throw new Error(`There is no response ${name}.`);
        return RESPONSES[name as keyof typeof RESPONSES];
      }),
    ) as never;
  return {
    ...(open !== undefined && { openIntent: list(open) }),
    ...(send !== undefined && { sendTransaction: list(send) }),
    ...(confirm !== undefined && { confirmTransaction: list(confirm) }),
    ...(search !== undefined && { searchPayment: list(search) }),
  };
}

/** Starts a payment whose terms were shown just now, or `age` ms ago. */
function start(overrides: Overrides = {}, { age = 0 } = {}) {
  const doubles = createPaymentDoubles(overrides);
  const { progress, controls, stop } = recordProgress();
  const request = { kind: 'new', callerId: CALLER, shown: termsShownAt(doubles.now() - age) } as const;
  return { ...doubles, progress, stop, run: payCaller(request, doubles.dependencies, controls) };
}

async function pay(...args: Parameters<typeof start>) {
  const started = start(...args);
  return { ...started, outcome: await started.run };
}

async function resume(pending: Partial<SignedPayment> = {}, overrides: Overrides = {}) {
  const doubles = createPaymentDoubles(overrides);
  const signed = { ...signedPayment, openedAt: doubles.now(), ...pending };
  doubles.dependencies.save(signed);
  const request = { kind: 'resume', pending: signed } as const;
  const outcome = await payCaller(request, doubles.dependencies, recordProgress().controls);
  return { ...doubles, outcome };
}

const STALE = { age: SHOWN_FEE_MS + 1 };
const otherTabs: SignedPayment = { ...signedPayment, signature: '4'.repeat(87), openedAt: 1_000_000 };

it('payCaller reports every step, sends the payment once and returns the intent’s subscription', async () => {
  const { outcome, progress, log, searches, saved } = await pay();
  expect(progress.map(({ step }) => step)).toEqual(['intent', 'sign', 'send', 'confirm', 'activate']);
  expect(log.join(' ')).toBe(
    'openIntent buildPayment signTransaction sendTransaction confirmTransaction searchPayment',
  );
  expect(searches).toEqual(['intent-1']);
  expect(outcome).toEqual({ status: 'complete', subscription });
  expect(saved()).toBeNull();
});

it('payCaller stores the signed payment as base64 before sending the payment', async () => {
  const atSending: { sent: string; saved: PendingPayment | null }[] = [];
  const started = start({
    sendTransaction: async (sent) => {
      atSending.push({ sent, saved: started.saved() });
      return { result: SIGNATURE };
    },
  });
  await started.run;
  const transaction = btoa('\x01\x02\x03\x09');
  expect(atSending).toMatchObject([{ sent: transaction, saved: { signature: SIGNATURE, transaction } }]);
});

it.each<[string, Responses, readonly [confirms: number, searches: number]]>([
  [
    'while neither the chain nor the server has the payment',
    { confirm: 'pending pending landed', search: 'pending active' },
    [3, 2],
  ],
  ['after lost responses and failures', { confirm: 'lost busy landed', search: 'busy lost active' }, [3, 3]],
  [
    'after a second send, because the first was lost',
    { send: 'lost accepted', confirm: 'missing landed' },
    [2, 1],
  ],
  ['after only the response was lost', { send: 'lost', confirm: 'landed' }, [1, 1]],
  ['after a refused send of a landed payment', { send: 'rejected', confirm: 'landed' }, [1, 1]],
  [
    'after a refused send of a pending payment',
    { send: 'rejected', confirm: 'pending pending landed' },
    [3, 1],
  ],
])('payCaller completes a payment with a single signature %s', async (_what, responses, counts) => {
  const { outcome, count, saved } = await pay(server(responses));
  expect(outcome.status).toBe('complete');
  expect([count('confirmTransaction'), count('searchPayment')]).toEqual(counts);
  expect(count('signTransaction')).toBe(1);
  expect(saved()).toBeNull();
});

describe('payCaller with the intent that it opens again', () => {
  const opens = (response: ReturnType<typeof intentResponse>) => ({ openIntent: replies(response) });

  it('payCaller signs if the intent opened again has a lower network fee', async () => {
    const { log, outcome } = await pay(opens(intentResponse({ microLamports: 40_000n })), STALE);
    expect(log[0]).toBe('openIntent');
    expect(outcome.status).toBe('complete');
  });

  it('payCaller signs with the new blockhash, but with the network fee that was shown less than a minute ago', async () => {
    const fresh = intentResponse({ microLamports: 60_000n });
    const inputs: unknown[] = [];
    const { outcome, progress } = await pay({
      openIntent: async () => ({
        ...fresh,
        result: { value: { blockhash: 'new', lastValidBlockHeight: 300 } },
      }),
      buildPayment: async (input) => {
        inputs.push(input);
        return Uint8Array.of(1);
      },
    });
    expect(outcome.status).toBe('complete');
    expect(inputs).toMatchObject([{ blockhash: 'new', computeBudget: { microLamports: '50000' } }]);
    expect(progress.find(({ step }) => step === 'sign')).toMatchObject({ signBy: 1_000_000 + 37_500 });
  });

  const otherRecipient = intentResponse({ callerAddress: 'Stake11111111111111111111111111111111111111' });
  const tooPoor = { ...intentResponse(), payerLamports: '1' };
  const dearer = intentResponse({ microLamports: 60_000n });
  const changed = /^The payment details changed\. Nothing was paid/;
  it.each<[string, Overrides, RegExp]>([
    ['the amount changed', opens(intentResponse({ total: 2_000_000_000n })), changed],
    ['the recipient changed', opens(otherRecipient), changed],
    [
      'another tab has paid meanwhile',
      { listOwnPeriods: async () => [paidPeriod('new')] },
      /You've already subscribed in another tab or on another device\. Nothing was paid this time/,
    ],
    ['the wallet no longer holds enough', opens(tooPoor), /You need 1\.000014999 SOL more/],
    ['the network fee rose', opens(dearer), /^The network fee rose\. Nothing was/],
  ])(
    'payCaller returns the intent opened again instead of signing when %s',
    async (_what, overrides, text) => {
      const reason = expect.stringMatching(text);
      const { log, outcome } = await pay(overrides, STALE);
      expect(outcome).toMatchObject({ status: 'failed', title: 'Payment failed', pending: null });
      expect(outcome).toMatchObject({ reason, opened: { openedAt: 1_000_000 } });
      expect(log).toEqual(['openIntent']);
    },
  );

  it('payCaller opens an intent of a length that is sold if the caller has stopped selling the shown one', async () => {
    const asked: unknown[] = [];
    const notSold = apiError(422, 'payments.length_not_offered', 'This caller doesn’t sell 7 days now.');
    const { log, outcome } = await pay(
      {
        openIntent: async (body) => {
          asked.push(body.days);
          if (body.days !== undefined) throw notSold;
          return intentResponse();
        },
      },
      STALE,
    );
    expect(asked).toEqual([30, undefined]);
    expect(outcome).toMatchObject({
      title: 'Payment failed',
      reason: 'This caller doesn’t sell 7 days now.',
    });
    expect(outcome).toMatchObject({ pending: null, opened: { payer: PAYER } });
    expect(log).not.toContain('signTransaction');
  });

  it('payCaller continues with the payment of another device instead of signing', async () => {
    const { log, outcome, saved } = await pay(server({ open: 'alreadySent' }), STALE);
    const pending = { intent: { id: 'intent-2' }, hasLanded: false };
    const { reason } = RESPONSES.alreadySent;
    expect(outcome).toMatchObject({ title: 'Payment not confirmed yet', reason, pending });
    expect(saved()).toMatchObject(pending);
    expect(log).toEqual(['openIntent']);
  });
});

describe('payCaller before the signature', () => {
  const walletFails = (code: number | undefined, message: string): Overrides => ({
    signTransaction: replies<Uint8Array>(Object.assign(new Error(message), { code })),
  });
  const noPayoutWallet = apiError(422, 'payments.payout_wallet_missing', 'This caller cannot be paid yet.');
  const declined = 'You declined the payment in your wallet. Nothing was paid. Press Pay to try again.';
  const locked =
    "Your wallet is locked or hasn't given this site access to the account. Unlock it, allow access, then press Pay again. Nothing was paid.";
  const unsigned = "Your wallet didn't sign the payment. Nothing was paid. Press Pay to try again.";

  it.each<[string, Overrides, string]>([
    [
      'the intent is refused',
      { openIntent: replies<never>(noPayoutWallet) },
      'This caller cannot be paid yet.',
    ],
    [
      'the intent request gets no response',
      server({ open: 'lost' }),
      "The server didn't respond. Check your connection and try again. Nothing was paid.",
    ],
    [
      'the intent request fails without a reason',
      { openIntent: replies<never>(new Error('No JSON.')) },
      "The payment couldn't be prepared. Nothing was paid. Try again.",
    ],
    [
      'the transaction cannot be built',
      { buildPayment: replies<never>(new Error('does not match')) },
      "Couldn't create the transaction. Nothing was paid. Reload the page and try again.",
    ],
    ['the user declines', walletFails(4001, 'User rejected the request.'), declined],
    ['the user declines without an error code', walletFails(undefined, 'Transaction cancelled'), declined],
    ['the wallet is locked', walletFails(4100, 'The requested method has not been authorized.'), locked],
    ['a hardware wallet is locked', walletFails(undefined, 'Ledger is locked'), locked],
    [
      'the wallet is on another network',
      walletFails(undefined, 'Network mismatch'),
      "Your wallet is set to another Solana network or can't reach Solana. Choose Mainnet in its settings, then press Pay again. Nothing was paid.",
    ],
    [
      'the wallet shows another request',
      walletFails(-32002, 'Request already pending'),
      'Your wallet is showing another request. Finish or close it, then press Pay again. Nothing was paid.',
    ],
    [
      'the wallet is no longer connected',
      { signTransaction: replies<never>(new WalletError('No connected wallet found')) },
      'No connected wallet found. Nothing was paid.',
    ],
    ['the wallet fails', walletFails(-32603, 'Something went wrong'), unsigned],
    ['the wallet returns the transaction unsigned', { readSignature: async () => null }, unsigned],
  ])('payCaller stores and sends nothing when %s', async (_what, overrides, reason) => {
    const { outcome, saved, log } = await pay(overrides, STALE);
    expect(outcome).toMatchObject({ status: 'failed', title: 'Payment failed', reason, pending: null });
    expect(saved()).toBeNull();
    expect(log).not.toContain('sendTransaction');
  });

  it('payCaller stores and sends nothing when the wallet signs after the user has stopped waiting', async () => {
    let sign = (_signed: Uint8Array) => {};
    const { run, log, saved, stop, progress } = start({
      signTransaction: () => new Promise((resolve) => (sign = resolve)),
    });
    await expect.poll(() => log).toContain('signTransaction');
    stop();
    const reason = expect.stringMatching(/^You stopped waiting for your wallet. Nothing was paid/);
    expect(await run).toMatchObject({ status: 'failed', reason, pending: null });
    sign(Uint8Array.of(1));
    await Promise.resolve();
    expect(log).toEqual(['openIntent', 'buildPayment', 'signTransaction']);
    expect(saved()).toBeNull();
    expect(progress.at(-1)?.step).toBe('sign');
  });

  it.each([
    ['before the wallet is asked', [otherTabs], []],
    ['while the wallet prompt is open', [null, otherTabs], ['signTransaction']],
  ])('payCaller sends nothing when another tab signs %s', async (_when, found, requested) => {
    let index = 0;
    const find = () => found[Math.min(index++, found.length - 1)] ?? null;
    const { outcome, log } = await pay({ find });
    expect(outcome).toMatchObject({ title: 'Payment not confirmed yet', pending: otherTabs });
    expect(log).toEqual(['openIntent', 'buildPayment', ...requested]);
  });
});

it.each(['sign', 'send', 'confirm', 'activate'] as const)(
  'payCaller reports once that the step "%s" is slow',
  async (step) => {
    let release = (_error: Error) => {};
    const gate = () => new Promise<never>((_resolve, reject) => (release = reject));
    const { run, progress, waitedFor, slowDown } = start({
      ...(step === 'sign' && { signTransaction: gate }),
      ...(step === 'send' && { sendTransaction: gate }),
      ...(step === 'confirm' && { confirmTransaction: gate }),
      ...(step === 'activate' && { searchPayment: gate }),
    });
    await expect.poll(() => progress.at(-1)?.step).toBe(step);
    expect(progress.every(({ isSlow }) => !isSlow)).toBe(true);
    expect(waitedFor()).toEqual([SLOW_CONNECTION_MS]);
    slowDown();
    expect(progress.at(-1)).toMatchObject({ step, isSlow: true });
    release(RESPONSES.signedOut);
    await run;
    expect(waitedFor()).toEqual([]);
  },
);

describe('payCaller after the signature', () => {
  const failed = 'Transaction failed on blockchain';
  // Specification 8.12
  it.each<[string, Responses, string]>([
    ['the send is refused', { send: 'rejected', confirm: 'expired' }, 'transaction: no.'],
    ['the server refuses the payment', { send: 'wrongAmount', confirm: 'missing' }, 'Wrong amount.'],
    ['signing took too long', { send: 'tooLate', confirm: 'expired' }, 'Signing took too long.'],
    ['the intent expired', { send: 'intentExpired', confirm: 'missing' }, 'Opened over ten'],
    ['the transaction has a durable nonce', { send: 'durableNonce', confirm: 'missing' }, 'never expire.'],
    ['the send was lost and the payment expired', { send: 'lost', confirm: 'expired' }, 'You can pay again.'],
    ['the send was lost and the payment failed', { send: 'lost', confirm: 'failed' }, failed],
    ['the payment failed on the chain', { confirm: 'failed' }, failed],
    ['the server says that the payment failed', { confirm: 'reportedFailed' }, failed],
    ['the payment expires after two checks', { confirm: 'pending pending expired' }, 'You can pay again.'],
  ])('payCaller removes a signed payment that can never land: %s', async (_what, responses, text) => {
    const { outcome, saved } = await pay(server({ ...responses, search: 'pending' }));
    const reason = expect.stringContaining(text);
    expect(outcome).toMatchObject({ status: 'failed', title: 'Payment failed', pending: null, reason });
    expect(saved()).toBeNull();
  });

  const safe = ' You can check this payment again';
  const unconfirmed = "hasn't confirmed your payment";
  const noConnection = `Failed to send transaction: no connection to the server.${safe}`;
  // Specification 8.10, 8.11, 8.16
  it.each<[string, Responses, text: string]>([
    [
      'the send is refused, but the payment’s status is unknown',
      { send: 'rejected', confirm: 'lost' },
      `transaction: no.${safe}`,
    ],
    ['a proxy refuses the send', { send: 'crossSite', confirm: 'crossSite' }, `No.${safe}`],
    ['only a later send is refused', { send: 'rejected', confirm: 'pending' }, unconfirmed],
    [
      'the send gets no response, and the payment’s status is unknown',
      { send: 'lost', confirm: 'lost' },
      noConnection,
    ],
    [
      'the send gets no response, and the server never got the payment',
      { send: 'lost', confirm: 'missing' },
      noConnection,
    ],
    ['the network is unavailable', { send: 'busy', confirm: 'pending' }, unconfirmed],
    ['the session is over', { send: 'signedOut', confirm: 'signedOut' }, 'Unauthorized: please sign in.'],
    ['the payment stays pending', { confirm: 'pending' }, 'your subscription starts automatically'],
    ['no status check gets a response', { confirm: 'lost' }, 'Failed to confirm transaction'],
    ['the session ends after sending', { confirm: 'signedOut' }, 'Unauthorized: please sign in.'],
    [
      'a status check says that the server never got the payment',
      { confirm: 'missing' },
      "hasn't reached our server",
    ],
    ['the search is refused', { search: 'wrongAmount' }, 'Wrong amount.'],
    ['the search gets no response', { search: 'lost' }, 'is on the chain and is credited automatically'],
    ['the search stays pending', { search: 'pending' }, 'The subscription is not active yet.'],
    [
      'the transaction expired, but no search gets a response',
      { confirm: 'expired', search: 'lost' },
      `confirm transaction.${safe}`,
    ],
    ['the payment can’t be read', { search: 'unreadable' }, "It has landed, but we can't read it yet."],
    [
      'the transaction expired, but another transaction of the intent can’t be read',
      { confirm: 'expired', search: 'unreadable' },
      "can't read it yet.",
    ],
  ])('payCaller stores a signed payment that may land or has landed: %s', async (_what, responses, text) => {
    const { outcome, saved } = await pay(server(responses));
    const { confirm, search } = responses;
    const hasLanded = search === 'unreadable' || (search !== undefined && confirm === undefined);
    const landed = search === 'wrongAmount' ? 'Subscription failed' : 'Paid, but not active yet';
    const title = hasLanded ? landed : 'Payment not confirmed yet';
    expect(outcome).toMatchObject({ status: 'failed', title, pending: { signature: SIGNATURE } });
    expect(outcome).toHaveProperty('reason', expect.stringContaining(text));
    expect(saved()).toMatchObject({ signature: SIGNATURE, hasLanded });
  });

  it.each([
    ['that an operator has released', 'released', "We couldn't read it. You can pay again."],
    ['that was refunded', 'refunded', 'It was refunded.'],
  ])(
    'payCaller forgets a payment %s, so that the user can pay again, and doesn’t say that it failed',
    async (_what, search, reason) => {
      const { outcome, saved } = await pay(server({ search }));
      expect(outcome).toMatchObject({
        status: 'failed',
        title: 'Subscription failed',
        reason,
        pending: null,
      });
      expect(saved()).toBeNull();
    },
  );

  it.each<[string, Responses]>([
    ['has expired', { confirm: 'expired' }],
    ['has failed', { confirm: 'failed' }],
    ['was refused for a lack of funds', { send: 'tooPoor', confirm: 'expired' }],
    ['was refused because the intent is paid', { send: 'intentPaid', confirm: 'missing' }],
  ])(
    'payCaller completes a payment that another transaction has made, although the signed transaction %s',
    async (_what, responses) => {
      const { outcome, saved, searches } = await pay(server(responses));
      expect(outcome).toEqual({ status: 'complete', subscription });
      expect([searches, saved()]).toEqual([['intent-1'], null]);
    },
  );

  it.each(['tooLate', 'rejected', 'intentExpired', 'durableNonce'])(
    'payCaller opens a new intent for the next attempt after the response %s',
    async (send) => {
      const result = { value: { blockhash: 'another', lastValidBlockHeight: 200 } };
      const inputs: unknown[] = [];
      const { outcome, log } = await pay({
        ...server({ send, confirm: 'missing', search: 'pending' }),
        openIntent: async (input) => {
          inputs.push(input);
          return { ...intentResponse(), result };
        },
      });
      const opened = { response: { result }, payer: PAYER, openedAt: 1_000_000 };
      expect(outcome).toMatchObject({ status: 'failed', pending: null, opened });
      const input = { callerId: CALLER, payerAddress: PAYER, days: 30, replaces: 'intent-1' };
      expect(inputs).toEqual([input, input]);
      expect(log.at(-1)).toBe('openIntent');
    },
  );

  it.each<[string, Overrides, object]>([
    [
      'no intent if opening a new intent gets no response',
      { openIntent: replies<OpenIntentResponse>(intentResponse(), connectionLost) },
      { reason: RESPONSES.rejected.reason, opened: null },
    ],
    [
      'the missing amount if the wallet holds too little',
      {
        ...server({ send: 'tooPoor' }),
        openIntent: replies(intentResponse(), { ...intentResponse(), payerLamports: '400000000' }),
      },
      { reason: 'You need 0.600015 SOL more, including the network fee.' },
    ],
  ])('if the send is refused, payCaller returns %s', async (_what, overrides, expected) => {
    const refused = server({ send: 'rejected', confirm: 'expired', search: 'pending' });
    const { outcome, saved } = await pay({ ...refused, ...overrides });
    expect(outcome).toMatchObject({ pending: null, ...expected });
    expect(saved()).toBeNull();
  });

  it.each([
    ['intentPaid', 'Paid, but not active yet', true],
    ['alreadySent', 'Payment not confirmed yet', false],
  ] as const)(
    'payCaller continues with the payment that the server names in the response %s, and opens no new intent',
    async (send, title, hasLanded) => {
      const { outcome, saved, log } = await pay(server({ send, confirm: 'missing', search: 'pending' }));
      const pending = { intent: { id: 'intent-2' }, hasLanded };
      expect(outcome).toMatchObject({ status: 'failed', title, reason: RESPONSES[send].reason, pending });
      expect(log.lastIndexOf('openIntent')).toBe(0);
      expect(saved()).toMatchObject(pending);
    },
  );

  it('payCaller stops checking a pending payment within two minutes', async () => {
    const { count, now } = await pay(server({ confirm: 'pending' }));
    expect(count('confirmTransaction')).toBe(CONFIRM_RETRY_MS.length + 1);
    expect(now() - 1_000_000).toBeLessThan(2 * 60_000);
  });

  const lost = (times: number) => 'lost '.repeat(times);
  it.each<[string, Responses, sends: number, progress: object]>([
    [
      'sends once and leaves the retries to the server when Solana does not respond',
      { send: 'busy', confirm: 'busy busy pending landed' },
      1,
      { step: 'confirm', isSlow: false, isResending: true },
    ],
    [
      'does not say that Solana refused the payment when only the response was lost',
      { send: 'lost', confirm: 'pending landed' },
      1,
      { step: 'confirm', isSlow: false },
    ],
    [
      'retries to send a signed payment while there is no connection',
      {
        send: `${lost(SEND_RETRY_MS.length + 3)}accepted`,
        confirm: `${lost(SEND_RETRY_MS.length + 3)}landed`,
      },
      SEND_RETRY_MS.length + 4,
      { step: 'send', isSlow: false, isDisconnected: true },
    ],
  ])('payCaller %s', async (_what, responses, sends, step) => {
    const { outcome, count, progress } = await pay(server(responses));
    expect(outcome.status).toBe('complete');
    expect(count('sendTransaction')).toBe(sends);
    expect(progress).toContainEqual(step);
  });

  it.each([
    ['without a connection', 'lost', DISCONNECTED_RETRY_MS.length + 1],
    ['while the server is broken', 'broken', SEND_RETRY_MS.length + 1],
  ])('payCaller stops sending a signed payment after the last retry %s', async (_when, error, times) => {
    const { count } = await pay(server({ send: error, confirm: error }));
    expect(count('sendTransaction')).toBe(times);
  });
});

describe('payCaller with a signed payment', () => {
  const hasLanded = { hasLanded: true };
  const calls = { c: 'confirmTransaction', s: 'sendTransaction', a: 'searchPayment' } as const;

  it.each<[string, Partial<SignedPayment>, Responses, log: string]>([
    ['finds a landed payment without sending it', hasLanded, {}, 'ca'],
    ['finds a landed payment when the status is unknown', hasLanded, { confirm: 'busy' }, 'ca'],
    ['sends a landed payment again after a fork', hasLanded, { confirm: 'pending landed' }, 'csca'],
    ['does not send a payment that the server has', {}, { confirm: 'pending landed' }, 'cca'],
    ['does not send a payment that is on the chain', {}, {}, 'ca'],
    ['sends a payment that the server never got', {}, { confirm: 'missing landed' }, 'csca'],
    [
      'continues to check a dropped payment when sending it again is refused',
      hasLanded,
      { confirm: 'pending pending landed', send: 'intentExpired' },
      'cscca',
    ],
    ['sends again when the first status check gets no response', {}, { confirm: 'lost landed' }, 'csca'],
  ])(
    'payCaller with a signed payment %s, and does not sign again',
    async (_what, pending, responses, expected) => {
      const { outcome, log } = await resume(pending, server(responses));
      expect(outcome).toEqual({ status: 'complete', subscription });
      expect(log).toEqual([...expected].map((each) => calls[each as keyof typeof calls]));
    },
  );

  const old = { openedAt: 1_000_000 - 60 * 60_000 };
  it.each<[string, Partial<SignedPayment>, Responses, string]>([
    ['has expired', {}, { confirm: 'expired' }, 'You can pay again.'],
    ['was refused', old, { confirm: 'missing', send: 'intentExpired' }, 'Opened over ten minutes ago.'],
    ['was refused and expired', {}, { confirm: 'missing expired', send: 'tooLate' }, 'Signing took too long'],
    ['was dropped by a fork and expired', hasLanded, { confirm: 'pending expired' }, 'You can pay again.'],
    ['failed on the chain', {}, { confirm: 'failed' }, 'Transaction failed on blockchain'],
  ])('payCaller removes a stored payment that %s', async (_what, pending, responses, text) => {
    const { outcome, saved } = await resume(pending, server({ ...responses, search: 'pending' }));
    expect(outcome).toMatchObject({ status: 'failed', title: 'Payment failed', pending: null, opened: null });
    expect(outcome).toHaveProperty('reason', expect.stringContaining(text));
    expect(saved()).toBeNull();
  });
});
