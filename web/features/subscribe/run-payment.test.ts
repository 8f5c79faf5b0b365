import { describe, expect, it } from 'vitest';
import type { ConfirmTransactionAnswer, SendTransactionAnswer } from '#schema/contracts/payments.ts';
import type { Subscription } from '#schema/contracts/subscriptions.ts';
import { answers, apiError, connectionLost, failedOnChain, intentAnswer, landed, PAYER, paymentWorld, SIGNATURE, subscription } from './payment-test-doubles.ts';
import { ASK_AGAIN_MS, BLOCKHASH_DEAD_MS, FRESH_INTENT_MS, type PaymentDependencies, type PaymentRequest, type PaymentStep, runPayment, type SignedPayment } from './run-payment.ts';

const CALLER = 'caller-1';

/** Runs one payment in a world of its own. */
async function pay(overrides: Partial<PaymentDependencies> = {}, request: Partial<Extract<PaymentRequest, { kind: 'new' }>> = {}) {
  const world = paymentWorld(overrides);
  const steps: PaymentStep[] = [];
  const shown = { answer: intentAnswer(), payer: PAYER, openedAt: world.now() };
  const outcome = await runPayment({ kind: 'new', callerId: CALLER, shown, ...request }, world.dependencies, (step) => steps.push(step));
  return { ...world, steps, outcome };
}

/** Goes on with something that was signed, in a world of its own. */
async function resume(pending: Partial<SignedPayment>, overrides: Partial<PaymentDependencies> = {}) {
  const world = paymentWorld(overrides);
  const signed: SignedPayment = { callerId: CALLER, intent: intentAnswer().intent, signature: SIGNATURE, transaction: 'AQID', openedAt: world.now(), hasLanded: false, ...pending };
  world.dependencies.keep(signed);
  const outcome = await runPayment({ kind: 'resume', pending: signed }, world.dependencies, () => {});
  return { ...world, outcome };
}

const confirms = (...list: readonly (ConfirmTransactionAnswer | null | Error)[]) => answers<ConfirmTransactionAnswer | null>(...list);
const claimsOf = (...list: readonly (Subscription | null | Error)[]) => answers<Subscription | null>(...list);
const sends = (...list: readonly (SendTransactionAnswer | Error)[]) => answers<SendTransactionAnswer>(...list);

describe('a payment in which nothing goes wrong', () => {
  it('names every step, pays once and ends with a receipt', async () => {
    const { outcome, steps, log, claims, kept } = await pay();
    expect(steps).toEqual(['intent', 'sign', 'send', 'confirm', 'activate']);
    expect(log).toEqual(['buildPayment', 'signTransaction', 'sendTransaction', 'confirmTransaction', 'claimSubscription']);
    expect(claims).toEqual([{ callerId: CALLER, monthlyFee: '1', platformFee: '0.1', totalAmount: '1', transactionId: SIGNATURE }]);
    expect(outcome).toMatchObject({
      status: 'complete',
      receipt: { signature: SIGNATURE, subscription, terms: { totalLamports: 1_000_000_000n, callerLamports: 900_000_000n, platformLamports: 100_000_000n } },
    });
    expect(kept()).toBeNull();
  });

  it('sends what the wallet signed, in base64, and keeps it before it is sent', async () => {
    let keptWhenSent: SignedPayment | null = null;
    let sent = '';
    const world = paymentWorld({ sendTransaction: async (transaction) => { sent = transaction; keptWhenSent = world.kept(); return { result: SIGNATURE }; } });
    await runPayment({ kind: 'new', callerId: CALLER, shown: { answer: intentAnswer(), payer: PAYER, openedAt: world.now() } }, world.dependencies, () => {});
    expect(sent).toBe(btoa('\x01\x02\x03\x09'));
    expect(keptWhenSent).toMatchObject({ signature: SIGNATURE, transaction: sent });
  });

  it('asks again while the chain and the server do not see it yet', async () => {
    const { outcome, log } = await pay({ confirmTransaction: confirms(null, null, landed), claimSubscription: claimsOf(null, subscription) });
    expect(outcome.status).toBe('complete');
    expect(log.filter((name) => name === 'confirmTransaction')).toHaveLength(3);
    expect(log.filter((name) => name === 'claimSubscription')).toHaveLength(2);
  });

  it('asks again after a lost connection and an overloaded server', async () => {
    const busy = apiError(502, 'chain.unavailable', 'The Solana network does not answer.');
    const { outcome } = await pay({ confirmTransaction: confirms(connectionLost, busy, landed), claimSubscription: claimsOf(busy, connectionLost, subscription) });
    expect(outcome.status).toBe('complete');
  });
});

describe('the terms', () => {
  const stale = { answer: intentAnswer(), payer: PAYER, openedAt: 1_000_000 - FRESH_INTENT_MS - 1 };

  it('are opened anew when the shown ones are not fresh, for a young blockhash', async () => {
    const { log, outcome } = await pay({}, { shown: stale });
    expect(log[0]).toBe('openIntent');
    expect(outcome.status).toBe('complete');
  });

  it.each([
    ['another amount', intentAnswer({ total: 2_000_000_000n })],
    ['another recipient', intentAnswer({ callerAddress: 'Stake11111111111111111111111111111111111111' })],
  ])('are shown again, and nothing is signed, when they now name %s', async (_what, changed) => {
    const { log, outcome } = await pay({ openIntent: async () => changed }, { shown: stale });
    expect(outcome).toMatchObject({ status: 'failed', title: 'Payment failed', pending: null, opened: { answer: changed } });
    expect(log).toEqual(['openIntent']);
  });
});

describe('before the signature a failure costs nothing and keeps nothing', () => {
  const stale = { answer: intentAnswer(), payer: PAYER, openedAt: 0 };
  const declined = Object.assign(new Error('User rejected the request.'), { code: 4001 });

  it.each<[string, Partial<PaymentDependencies>, string]>([
    ['the intent is refused', { openIntent: answers(apiError(422, 'payments.payout_wallet_missing', 'This caller cannot be paid yet.')) as never }, 'This caller cannot be paid yet.'],
    ['the intent gets no answer', { openIntent: answers(connectionLost) as never }, 'Failed to prepare the payment'],
    ['the transaction cannot be built', { buildPayment: answers(new Error('does not match')) as never }, 'The transaction could not be built. Nothing was paid.'],
    ['the person declines', { signTransaction: answers(declined) as never }, 'You declined in your wallet. Nothing was paid.'],
    ['the wallet fails', { signTransaction: answers(new Error('Ledger is locked')) as never }, 'Your wallet did not sign the transaction. Nothing was paid.'],
    ['the wallet answers unsigned', { readSignature: async () => null }, 'Your wallet did not sign the transaction. Nothing was paid.'],
  ])('%s', async (_what, overrides, reason) => {
    const { outcome, kept, log } = await pay(overrides, { shown: stale });
    expect(outcome).toEqual({ status: 'failed', title: 'Payment failed', reason, pending: null });
    expect(kept()).toBeNull();
    expect(log).not.toContain('sendTransaction');
  });
});

describe('after the signature', () => {
  const rejected = apiError(422, 'payments.rejected_by_chain', 'Insufficient funds for the transfer.');
  const forgotten = apiError(401, 'auth.required', 'Unauthorized: please sign in.');

  it.each<[string, Partial<PaymentDependencies>, string, string, boolean]>([
    ['sending is refused: nothing left the wallet', { sendTransaction: sends(rejected) }, 'Payment failed', 'Insufficient funds for the transfer.', false],
    ['sending gets no answer: it may be on its way', { sendTransaction: sends(connectionLost) }, 'Payment failed', 'Failed to send transaction', true],
    ['the session is over when sending', { sendTransaction: sends(forgotten) }, 'Payment failed', 'Unauthorized: please sign in.', true],
    ['it failed on the chain', { confirmTransaction: confirms(failedOnChain) }, 'Payment failed', 'Transaction failed on blockchain', false],
    ['the server says it failed on the chain', { confirmTransaction: confirms(apiError(422, 'payments.failed_on_chain', 'x')) }, 'Payment failed', 'Transaction failed on blockchain', false],
    ['it is not seen in time', { confirmTransaction: confirms(null) }, 'Payment failed', 'Failed to confirm transaction', true],
    ['confirming never gets an answer', { confirmTransaction: confirms(connectionLost) }, 'Payment failed', 'Failed to confirm transaction', true],
    ['confirming is refused', { confirmTransaction: confirms(forgotten) }, 'Payment failed', 'Unauthorized: please sign in.', true],
    ['the claim is refused', { claimSubscription: claimsOf(apiError(422, 'payments.wrong_amount', 'The amount is not the one agreed.')) }, 'Subscription failed', 'The amount is not the one agreed.', true],
    ['the claim stays pending', { claimSubscription: claimsOf(null) }, 'Subscription failed', 'The subscription is not active yet.', true],
    ['the claim finds it failed', { claimSubscription: claimsOf(apiError(422, 'payments.failed_on_chain', 'x')) }, 'Payment failed', 'Transaction failed on blockchain', false],
  ])('%s', async (_what, overrides, title, reason, keepsSignature) => {
    const { outcome, kept } = await pay(overrides);
    expect(outcome).toMatchObject({ status: 'failed', title });
    expect(outcome.status === 'failed' && outcome.reason).toContain(reason);
    expect(outcome.status === 'failed' && outcome.pending?.signature).toBe(keepsSignature ? SIGNATURE : undefined);
    expect(kept()?.signature).toBe(keepsSignature ? SIGNATURE : undefined);
  });

  it.each([
    ['payments.blockhash_expired', 409, 'The payment took too long to sign. Nothing was paid; press Pay again.'],
    ['payments.rejected_by_chain', 422, 'Said by the server.'],
    ['payments.intent_expired', 409, 'Said by the server.'],
  ] as const)('a send refused with %s is followed by a new intent, so that the next press is not refused as well', async (code, status, reason) => {
    const next = { ...intentAnswer(), result: { value: { blockhash: 'another', lastValidBlockHeight: 200 } } };
    const asked: unknown[] = [];
    const { outcome, kept, log } = await pay({
      sendTransaction: sends(apiError(status, code, 'Said by the server.')),
      openIntent: async (input) => { asked.push(input); return next; },
    });
    expect(outcome).toEqual({ status: 'failed', title: 'Payment failed', reason, pending: null, opened: { answer: next, payer: PAYER, openedAt: 1_000_000 } });
    expect(asked).toEqual([{ callerId: CALLER, payerAddress: PAYER }]);
    expect(log.at(-1)).toBe('openIntent');
    expect(kept()).toBeNull();
  });

  it('nothing is offered to be paid again where no new intent can be had', async () => {
    const { outcome } = await pay({ sendTransaction: sends(rejected), openIntent: answers(connectionLost) as never });
    expect(outcome).toMatchObject({ reason: 'Insufficient funds for the transfer.', opened: null });
  });

  it('says how much is missing where the wallet holds too little after all', async () => {
    const { outcome } = await pay({
      sendTransaction: sends(apiError(422, 'payments.insufficient_funds', 'The wallet holds too little.')),
      openIntent: async () => ({ ...intentAnswer(), payerLamports: '400000000' }),
    });
    expect(outcome).toMatchObject({ reason: '0.600005 SOL missing: you have 0.4 SOL, this needs 1.000005 SOL.', pending: null });
  });

  it.each(['payments.intent_paid', 'payments.already_sent'] as const)('opens no further intent on %s: the money is paid or on its way', async (code) => {
    const { outcome, kept, log } = await pay({ sendTransaction: sends(apiError(409, code, 'Paid in another tab.')) });
    expect(outcome).toEqual({ status: 'failed', title: 'Payment failed', reason: 'Paid in another tab.', pending: null, opened: null, isPaidElsewhere: true });
    expect(log).not.toContain('openIntent');
    expect(kept()).toBeNull();
  });

  it('does not send what another tab has signed before it', async () => {
    const other: SignedPayment = { callerId: CALLER, intent: intentAnswer().intent, signature: '4'.repeat(87), transaction: 'AQID', openedAt: 1_000_000, hasLanded: false };
    const { outcome, log } = await pay({ find: () => other });
    expect(outcome).toMatchObject({ status: 'failed', pending: other });
    expect(log).not.toContain('sendTransaction');
  });

  it('gives the person back the word after a bounded time', async () => {
    const { log, now } = await pay({ confirmTransaction: confirms(null) });
    expect(log.filter((name) => name === 'confirmTransaction')).toHaveLength(ASK_AGAIN_MS.length + 1);
    expect(now() - 1_000_000).toBeLessThan(2 * 60_000);
  });

  it('remembers that it has landed, so that no retry asks the chain to take it again', async () => {
    const { kept } = await pay({ claimSubscription: claimsOf(null) });
    expect(kept()).toMatchObject({ hasLanded: true, signature: SIGNATURE });
  });
});

describe('going on with a signed payment', () => {
  it.each<[string, Partial<SignedPayment>, Partial<PaymentDependencies>, readonly string[]]>([
    ['only claims what has landed', { hasLanded: true }, {}, ['claimSubscription']],
    ['does not send what the chain shows', {}, {}, ['confirmTransaction', 'confirmTransaction', 'claimSubscription']],
    ['sends the same bytes again where it is not seen', {}, { confirmTransaction: confirms(null, landed) }, ['confirmTransaction', 'sendTransaction', 'confirmTransaction', 'claimSubscription']],
    ['looks on where sending again is refused', {}, { confirmTransaction: confirms(null, landed), sendTransaction: sends(apiError(409, 'payments.intent_expired', 'Expired.')) }, ['confirmTransaction', 'sendTransaction', 'confirmTransaction', 'claimSubscription']],
    ['looks on where the first look gets no answer', {}, { confirmTransaction: confirms(connectionLost, landed) }, ['confirmTransaction', 'sendTransaction', 'confirmTransaction', 'claimSubscription']],
  ])('%s, and never signs anew', async (_what, pending, overrides, expected) => {
    const { outcome, log, claims } = await resume(pending, overrides);
    expect(outcome).toMatchObject({ status: 'complete', receipt: { signature: SIGNATURE } });
    expect(log).toEqual(expected);
    expect(claims).toMatchObject([{ transactionId: SIGNATURE }]);
  });

  const longAgo = 1_000_000 - BLOCKHASH_DEAD_MS - 1;
  const refused = apiError(422, 'payments.rejected_by_chain', 'Blockhash not found.');

  it('lets go of it once it is refused, unseen and too old to land', async () => {
    const { outcome, kept } = await resume({ openedAt: longAgo }, { confirmTransaction: confirms(null), sendTransaction: sends(refused) });
    expect(outcome).toMatchObject({ status: 'failed', pending: null });
    expect(outcome.status === 'failed' && outcome.reason).toContain('Nothing was paid');
    expect(kept()).toBeNull();
  });

  it('lets go of it when the server never got it and its intent is over', async () => {
    const unknown = apiError(422, 'payments.intent_missing', 'This transaction belongs to no payment that you have opened.');
    const { outcome, kept } = await resume({ openedAt: longAgo }, { confirmTransaction: confirms(unknown), sendTransaction: sends(apiError(409, 'payments.intent_expired', 'Expired.')) });
    expect(outcome).toMatchObject({ status: 'failed', pending: null });
    expect(kept()).toBeNull();
  });

  it('says that it was paid elsewhere when that is why it is refused', async () => {
    const { outcome, kept } = await resume({ openedAt: longAgo }, { confirmTransaction: confirms(null), sendTransaction: sends(apiError(409, 'payments.intent_paid', 'Paid in another tab.')) });
    expect(outcome).toMatchObject({ reason: 'Paid in another tab.', isPaidElsewhere: true, pending: null });
    expect(kept()).toBeNull();
  });

  it('lets go of it when it stays unseen past the life of its blockhash', async () => {
    const { outcome, kept } = await resume({ openedAt: longAgo + 20_000 }, { confirmTransaction: confirms(null) });
    expect(outcome).toMatchObject({ status: 'failed', pending: null });
    expect(kept()).toBeNull();
  });

  it.each<[string, number, Partial<PaymentDependencies>]>([
    ['it is young', 1_000_000, { confirmTransaction: confirms(null), sendTransaction: sends(refused) }],
    ['nobody could say whether it landed', longAgo, { confirmTransaction: confirms(connectionLost), sendTransaction: sends(refused) }],
  ])('does not let go of it while %s', async (_what, openedAt, overrides) => {
    const { outcome, kept } = await resume({ openedAt }, overrides);
    expect(outcome).toMatchObject({ status: 'failed', pending: { signature: SIGNATURE } });
    expect(kept()?.signature).toBe(SIGNATURE);
  });

  it('lets go of it when it failed on the chain', async () => {
    const { outcome, kept } = await resume({}, { confirmTransaction: confirms(failedOnChain) });
    expect(outcome).toMatchObject({ status: 'failed', reason: 'Transaction failed on blockchain', pending: null });
    expect(kept()).toBeNull();
  });
});
