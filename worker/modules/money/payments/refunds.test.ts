import { PublicKey, type Keypair } from '@solana/web3.js';
import { beforeEach, expect, it, vi } from 'vitest';
import {
  BLOCKHASH_BLOCKS,
  MAX_DUST_REFUNDS,
  MAX_REFUNDS_SHOWN,
  MIN_ORPHAN_LAMPORTS,
  SUBSCRIPTION_PERIOD_MS,
} from '#schema/constants/money.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '#schema/constants/time.ts';
import type { ErrorCode } from '#schema/contracts/errors.ts';
import type { Earning, OpenRefundResponse, Receipt } from '#schema/contracts/payments.ts';
import { expectRefusal, readResponse } from '#test/responses.ts';
import { query } from '#test/database/database.ts';
import { balanceOf, createFundedWallet, rpc, setSlotMs, SIGNATURE_FEE } from '#test/payments/chain.ts';
import {
  clearFaults,
  countersOf,
  createPaymentScene,
  failSolana,
  forget,
  hasAccess,
  listLedger,
  listPeriods,
  settle,
} from '#test/payments/payment-scene.ts';
import { claimBody, land, openIntent, pay } from '#test/payments/payments.ts';
import {
  askForRefund,
  openRefund as openRefundFrom,
  refundBody,
  searchRefunds,
  sendRefund,
  signRefund,
  type RefundChanges,
} from '#test/payments/refunds.ts';
import { naming, sign, transfer } from '#test/payments/transactions.ts';
import { connectTelegram, writtenTo } from '#test/messages/telegram.ts';
import { createCaller } from '#test/people/callers.ts';
import { control, type Person, type TestApp } from '#test/test-app.ts';
import { READS_PER_SEARCH } from './refunds.service.ts';

const SHARE = 450_000_000n;
const TOTAL = 500_000_000n;

let app: TestApp;
let caller: Person;
let payout: Keypair;
let follower: Person;
let payer: Keypair;

beforeEach(async () => {
  vi.restoreAllMocks();
  ({ app, caller, payout, follower, payer } = await createPaymentScene());
});

const payFinal = async () => {
  const { signature } = await pay({ person: follower, payer, callerId: caller.id });
  await settle({ app });
  return signature;
};
const ask = (signature: string) => askForRefund(follower, signature);
const takeBack = (signature: string) =>
  follower.put(`/api/payments/${signature}/refund-request`, { isAsked: false });
const receiptOf = (person: Person, signature: string) =>
  readResponse<Receipt>(person.get(`/api/payments/${signature}`));
const openRefund = (by: Person, signature: string) => openRefundFrom(by, signature, payout);
const postOpen = (signature: string, more: object = {}) =>
  caller.post('/api/solana/open-refund', { ...refundBody(signature, payout), ...more });
const sendRight = (signature: string, terms: OpenRefundResponse) =>
  sendRefund(caller, signature, signRefund({ terms, from: payout }));
/** Sends the refund while the network includes no transaction with its fee, so that it can still land later. */
const sendOnBusyNetwork = async (signature: string) => {
  const terms = await openRefund(caller, signature);
  await control('POST', '/solana/load', { microLamports: 1_000_000_000 });
  await readResponse(sendRight(signature, terms));
  await control('DELETE', '/solana/load');
  return terms;
};
/** The signature of the refund's newest transfer, or undefined. */
const search = async (signature: string) => {
  await searchRefunds(app);
  return (await receiptOf(caller, signature)).refunds.at(-1)?.signature;
};
const findRefund = async (signature: string) => {
  await app.advance(MINUTE_MS);
  return search(signature);
};
/** Pays back what the subscriber has asked for, and returns the transfer's signature. */
const refund = async (signature: string, changes: RefundChanges = {}) => {
  await ask(signature);
  const terms = await openRefund(caller, signature);
  const sent = await land(signRefund({ terms, from: payout, changes }));
  expect(await findRefund(signature)).toBe(sent);
  return sent;
};
const earnings = () => readResponse<Earning[]>(caller.get('/api/payments/earnings'));
const periods = async () => (await listPeriods()).map(({ starts_at, ends_at }) => [starts_at, ends_at]);
const problems = async () => {
  await app.advance(DAY_MS);
  await app.services.ledgerCheck.checkOncePerDay();
  const [check] = await query<{ problems: string }>('SELECT problems FROM ledger_checks ORDER BY day DESC');
  return JSON.parse(check?.problems ?? 'null') as unknown;
};

it('a refund that was asked for returns the caller’s share, ends the running period and reduces the earnings', async () => {
  const signature = await payFinal();
  const before = await balanceOf(payer.publicKey.toBase58());
  await ask(signature);
  const terms = await openRefund(caller, signature);
  expect(terms.refund).toEqual({
    reference: terms.refund.reference,
    toAddress: payer.publicKey.toBase58(),
    lamports: SHARE.toString(),
    isAsked: true,
  });
  const { result: sent } = await readResponse<{ result: string }>(sendRight(signature, terms));
  await app.advance(2_000);
  expect(await search(signature)).toBeUndefined();
  await expectRefusal(postOpen(signature), 'payments.refund_pending');
  expect(await hasAccess({ follower, caller })).toBe(true);
  expect(await findRefund(signature)).toBe(sent);
  expect(await balanceOf(payer.publicKey.toBase58())).toBe(before + SHARE);
  expect(await hasAccess({ follower, caller })).toBe(false);
  expect(await listLedger()).toEqual(['granted', 'finalized', 'refunded']);
  expect(await earnings()).toMatchObject([
    { signature, state: 'refunded', refunds: [{ amount: '0.45', signature: sent }] },
  ]);
  await app.runJobs('messages', 'subscriptions');
  expect(await countersOf(caller)).toEqual({ earned_lamports: 0, subscriber_count: 0, paying_count: 0 });
  const csv = await (await caller.get('/api/payments/earnings.csv')).text();
  expect(csv).toContain(',0.45,0,refunded\r\n');
  expect(await search(signature)).toBe(sent);
  await expectRefusal(postOpen(signature), 'payments.refunded');
  expect(await problems()).toEqual([]);
});

it('a refund of the running period moves all later periods up, without gaps', async () => {
  const signatures = [await payFinal(), await payFinal(), await payFinal()];
  await refund(signatures[0] ?? '');
  const now = app.clock.now();
  const [[start] = []] = await periods();
  expect(await periods()).toEqual([
    [start, now],
    [now, now + SUBSCRIPTION_PERIOD_MS],
    [now + SUBSCRIPTION_PERIOD_MS, now + 2 * SUBSCRIPTION_PERIOD_MS],
  ]);
  expect(await hasAccess({ follower, caller })).toBe(true);
  await app.runJobs('messages', 'subscriptions');
  expect(await countersOf(caller)).toEqual({
    earned_lamports: Number(2n * SHARE),
    subscriber_count: 1,
    paying_count: 1,
  });
  expect(await problems()).toEqual([]);
});

it('the refund of a period that has not started removes the period, but the refund of an ended period changes no period', async () => {
  const first = await payFinal();
  const { terms, signature: second } = await pay({ person: follower, payer, callerId: caller.id });
  const third = await payFinal();
  const [running] = await periods();
  await refund(second);
  const end = running?.[1] ?? 0;
  expect(await periods()).toEqual([running, [end, end + SUBSCRIPTION_PERIOD_MS]]);
  await expectRefusal(
    follower.post('/api/subscriptions', claimBody({ terms, callerId: caller.id, signature: second })),
    'payments.refunded',
  );
  const search = { intentId: terms.intent.id };
  await expectRefusal(follower.post('/api/solana/search-payment', search), 'payments.refunded');
  await app.advance(SUBSCRIPTION_PERIOD_MS + DAY_MS);
  [caller, follower] = [await app.signIn(caller.handle), await app.signIn(follower.handle)];
  await refund(first);
  expect(await periods()).toEqual([running, [end, end + SUBSCRIPTION_PERIOD_MS]]);
  expect((await earnings()).map(({ signature, state }) => [signature, state])).toEqual([
    [third, 'finalized'],
    [second, 'refunded'],
    [first, 'refunded'],
  ]);
  expect(await problems()).toEqual([]);
});

it('all transfers of a refund are recorded and added up, and what is more is paid back twice', async () => {
  const signature = await payFinal();
  await ask(signature);
  const terms = await openRefund(caller, signature);
  const running = await periods();
  await land(signRefund({ terms, from: payout, changes: { lamports: SHARE / 2n } }));
  await findRefund(signature);
  expect(await periods()).toEqual(running);
  const again = await openRefund(caller, signature);
  expect(again.refund).toMatchObject({ lamports: `${SHARE / 2n}` });
  for (const lamports of [SHARE / 2n + 1n, SHARE / 2n + 2n]) {
    await land(signRefund({ terms: again, from: payout, changes: { lamports } }));
  }
  await findRefund(signature);
  expect(await listLedger()).toEqual(['granted', 'finalized', 'refunded']);
  expect(await receiptOf(follower, signature)).toMatchObject({
    paidBack: '0.675000003',
    paidBackTwice: '0.225000003',
    earned: '0',
    refunds: [{ amount: '0.225' }, {}, {}],
  });
  expect(await countersOf(caller)).toMatchObject({ earned_lamports: 0 });
  expect(await problems()).toEqual([]);
});

it('a payment can be paid back in any number of transfers, and the receipt lists the newest', async () => {
  const signature = await payFinal();
  const terms = await openRefund(caller, signature);
  for (let count = 0; count <= MAX_REFUNDS_SHOWN; count += 1) {
    await land(signRefund({ terms, from: payout, changes: { lamports: BigInt(count) + 1n } }));
  }
  for (let search = 0; search < 2; search += 1) {
    await app.advance(11 * MINUTE_MS);
    await app.services.refunds.searchDue();
  }
  const { refunds, paidBack, earned } = await receiptOf(follower, signature);
  expect(refunds).toHaveLength(MAX_REFUNDS_SHOWN);
  expect([paidBack, earned]).toEqual(['0.000000231', '0.449999769']);
});

it('once a hundred transfers are recorded for a payment, further dust isn’t', async () => {
  const signature = await payFinal();
  const terms = await openRefund(caller, signature);
  await query(
    `WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ${MAX_DUST_REFUNDS})
     INSERT INTO refund_transfers (signature, payment_id, lamports, slot, paid_at, at)
     SELECT 'dust-' || n, (SELECT id FROM payments), 1, 1, 1, 1 FROM counted`,
  );
  for (const lamports of [MIN_ORPHAN_LAMPORTS - 1n, MIN_ORPHAN_LAMPORTS]) {
    await land(signRefund({ terms, from: payout, changes: { lamports } }));
  }
  await findRefund(signature);
  expect(await receiptOf(caller, signature)).toMatchObject({ paidBack: '0.0001001' });
});

it('a refund that nobody asked for ends the period only with the whole amount', async () => {
  const signature = await payFinal();
  const terms = await openRefund(caller, signature);
  expect(terms.refund).toMatchObject({ lamports: `${TOTAL}`, isAsked: false });
  await land(signRefund({ terms, from: payout, changes: { lamports: SHARE } }));
  await findRefund(signature);
  expect(await hasAccess({ follower, caller })).toBe(true);
  expect(await countersOf(caller)).toEqual({ earned_lamports: 0, subscriber_count: 1, paying_count: 1 });
  const rest = await openRefund(caller, signature);
  expect(rest.refund.lamports).toBe(`${TOTAL - SHARE}`);
  await land(signRefund({ terms: rest, from: payout }));
  await findRefund(signature);
  expect(await hasAccess({ follower, caller })).toBe(false);
  expect(await problems()).toEqual([]);
});

it('asking ends the period at once if the share was already paid back', async () => {
  const signature = await payFinal();
  const terms = await openRefund(caller, signature);
  await land(signRefund({ terms, from: payout, changes: { lamports: SHARE } }));
  await findRefund(signature);
  expect(await ask(signature)).toMatchObject({ state: 'refunded', refundRequest: { canTakeBack: false } });
  expect(await hasAccess({ follower, caller })).toBe(false);
  await expectRefusal(takeBack(signature), 'payments.refunded');
  expect(await problems()).toEqual([]);
});

it('a request can be taken back until the caller opens the refund, and counts from then on', async () => {
  const signature = await payFinal();
  const unasked = await openRefund(caller, signature);
  for (let times = 0; times < 2; times += 1) {
    expect(await ask(signature)).toMatchObject({ refundRequest: { canTakeBack: true } });
    expect(await readResponse(takeBack(signature))).toMatchObject({ refundRequest: null });
  }
  expect((await openRefund(caller, signature)).refund).toMatchObject({ isAsked: false });
  await ask(signature);
  const terms = await openRefund(caller, signature);
  expect(terms.refund).toMatchObject({ isAsked: true, lamports: `${SHARE}` });
  await expectRefusal(takeBack(signature), 'payments.refund_opened');
  await land(
    signRefund({
      terms: { ...unasked, blockhash: terms.blockhash },
      from: payout,
      changes: { lamports: SHARE },
    }),
  );
  await findRefund(signature);
  expect(await hasAccess({ follower, caller })).toBe(false);
});

it('only the subscriber can ask for a refund, and only of a final payment', async () => {
  const { signature } = await pay({ person: follower, payer, callerId: caller.id });
  const path = `/api/payments/${signature}/refund-request`;
  await expectRefusal(follower.put(path, { isAsked: true }), 'payments.not_final');
  await settle({ app });
  for (const person of [caller, await createCaller(app, 'other_calls')]) {
    await expectRefusal(person.put(path, { isAsked: true }), 'payments.not_found');
  }
  await refund(signature);
  await expectRefusal(follower.put(path, { isAsked: true }), 'payments.refunded');
});

it('the caller gets one message about each request, and none once it was taken back', async () => {
  const chat = await connectTelegram(app, caller);
  const signature = await payFinal();
  const requests = async () => {
    await app.runJobs('messages');
    await app.sender.deliver();
    return (await writtenTo(chat)).filter((text) => text.includes('request for a refund'));
  };
  await ask(signature);
  await readResponse(takeBack(signature));
  expect(await requests()).toEqual([]);
  await app.advance(SECOND_MS);
  for (let times = 0; times < 2; times += 1) {
    await ask(signature);
    expect(await requests()).toEqual([
      expect.stringMatching(
        /^You have a request for a refund from a subscriber, for the payment of .*\n\nIf you pay 0\.45 SOL \(your share\) back/,
      ),
    ]);
  }
  await readResponse(takeBack(signature));
  await app.advance(SECOND_MS);
  await ask(signature);
  expect(await requests()).toHaveLength(2);
});

it('another wallet that the caller has verified can pay back, and nobody else’s', async () => {
  const signature = await payFinal();
  await ask(signature);
  const other = await createFundedWallet();
  const body = refundBody(signature, other);
  await expectRefusal(caller.post('/api/solana/open-refund', body), 'payments.not_your_wallet');
  await query(
    "INSERT INTO wallets (id, user_id, address, proven_at, created_at) VALUES ('w', ?, ?, 1, 1)",
    caller.id,
    other.publicKey.toBase58(),
  );
  const terms = await openRefundFrom(caller, signature, other);
  const { result: sent } = await readResponse<{ result: string }>(
    sendRefund(caller, signature, signRefund({ terms, from: other })),
  );
  expect(await findRefund(signature)).toBe(sent);
  expect(await hasAccess({ follower, caller })).toBe(false);
});

it('another page learns that a refund was opened before, and gets the same reference', async () => {
  const signature = await payFinal();
  const first = await openRefund(caller, signature);
  expect(first.openedBefore).toBeNull();
  const openedAt = app.clock.now();
  await app.advance(SECOND_MS);
  const second = await openRefund(caller, signature);
  expect(second).toMatchObject({ openedBefore: new Date(openedAt).toISOString(), refund: first.refund });
});

it('the cron finds a refund without a request by a page, and sends the subscriber one message', async () => {
  const chat = await connectTelegram(app, follower);
  const signature = await payFinal();
  await ask(signature);
  const terms = await openRefund(caller, signature);
  await app.advance(10 * MINUTE_MS);
  await app.runJobs('payments');
  const { blockhash } = await openRefund(caller, signature);
  await land(signRefund({ terms: { ...terms, blockhash }, from: payout }));
  for (let minute = 0; minute < 3; minute += 1) {
    await app.advance(MINUTE_MS);
    await app.runJobs('payments', 'messages');
    await app.sender.deliver();
  }
  expect(await listLedger()).toContain('refunded');
  expect((await writtenTo(chat)).filter((text) => text.includes('refund'))).toEqual([
    expect.stringMatching(
      /You received a refund of 0\.45 SOL from .*, in the wallet that paid\.\n\nThe period that you paid for has ended\./,
    ),
  ]);
});

it('the cron stops searching for a refund after a day, and resumes if the caller opens the refund again', async () => {
  const signature = await payFinal();
  const { refund: first } = await openRefund(caller, signature);
  await app.advance(DAY_MS);
  expect(await app.services.refunds.searchDue()).toEqual({ searched: 1 });
  await app.advance(DAY_MS);
  expect(await app.services.refunds.searchDue()).toEqual({ searched: 0 });
  expect((await openRefund(caller, signature)).refund).toEqual(first);
  await app.advance(MINUTE_MS);
  expect(await app.services.refunds.searchDue()).toEqual({ searched: 1 });
});

it('a refund transaction with another amount, sender, recipient or reference is not sent', async () => {
  const signature = await payFinal();
  const terms = await openRefund(caller, signature);
  const other = await createFundedWallet();
  const signed = (changes: RefundChanges, from = payout) => signRefund({ terms, from, changes });
  const refusals: readonly [ErrorCode, Uint8Array, Person?][] = [
    ['payments.not_the_refund', signed({ lamports: TOTAL + 1n })],
    ['payments.not_the_refund', signed({ toAddress: other.publicKey.toBase58() })],
    ['payments.not_the_refund', signed({}, other)],
    ['payments.not_the_refund', signed({ references: [] })],
    ['payments.not_found', signed({}), follower],
    ['payments.transaction_invalid', new Uint8Array(3)],
  ];
  for (const [code, transaction, person = caller] of refusals) {
    await expectRefusal(sendRefund(person, signature, transaction), code);
  }
});

it('a second transfer for a refund is not sent while the first can still land', async () => {
  const signature = await payFinal();
  const before = await balanceOf(payer.publicKey.toBase58());
  const first = await openRefund(caller, signature);
  await app.advance(1_000);
  const second = await openRefund(caller, signature);
  expect(second.blockhash).not.toBe(first.blockhash);
  for (let sends = 0; sends < 2; sends += 1) await readResponse(sendRight(signature, first));
  await expectRefusal(sendRight(signature, second), 'payments.refund_pending');
  await findRefund(signature);
  expect(await balanceOf(payer.publicKey.toBase58())).toBe(before + TOTAL);
});

it('after a wallet that sends the refund itself, nothing else is sent while its transfer can still land', async () => {
  const signature = await payFinal();
  const first = await openRefund(caller, signature);
  await readResponse(postOpen(signature, { sendsItself: true }), 201);
  await expectRefusal(sendRight(signature, first), 'payments.refund_pending');
  for (const again of [{ sendsItself: true }, {}]) {
    await expectRefusal(postOpen(signature, again), 'payments.refund_pending');
  }
  await app.advance(3 * MINUTE_MS);
  await readResponse(sendRight(signature, await openRefund(caller, signature)));
});

it('only one of two pages opens a refund again at the same time for a wallet that sends it itself', async () => {
  const signature = await payFinal();
  const openAgain = () => postOpen(signature, { sendsItself: true });
  await readResponse(openAgain(), 201);
  await app.advance(3 * MINUTE_MS);
  const held = Promise.withResolvers<void>();
  const isHeld = Promise.withResolvers<void>();
  const { fetch } = globalThis;
  let searches = 0;
  // The slower page knows the expired transfer, but not yet that it can't land, when the other page opens the refund.
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    if (String(init?.body).includes('getEpochInfo') && searches++ < 2) {
      isHeld.resolve();
      await held.promise;
    }
    return fetch(input, init);
  });
  const slower = openAgain();
  await isHeld.promise;
  await readResponse(openAgain(), 201);
  held.resolve();
  await expectRefusal(slower, 'payments.refund_pending');
});

it('two pages with a wallet that sends by itself may pay twice, and both transfers are recorded', async () => {
  const signature = await payFinal();
  await ask(signature);
  const open = () => readResponse<OpenRefundResponse>(postOpen(signature, { sendsItself: true }), 201);
  const first = await open();
  await app.advance(3 * MINUTE_MS);
  const second = await open();
  // The wallet of the first page has replaced the blockhash.
  for (const lamports of [SHARE, SHARE - 1n]) {
    await land(
      signRefund({ terms: { ...first, blockhash: second.blockhash }, from: payout, changes: { lamports } }),
    );
  }
  await findRefund(signature);
  expect(await receiptOf(caller, signature)).toMatchObject({
    state: 'refunded',
    paidBack: '0.899999999',
    paidBackTwice: '0.449999999',
    refunds: [{}, {}],
  });
  expect(await problems()).toEqual([]);
});

it('while a new fee is applied, a refund is recorded, and the period ends afterwards', async () => {
  const signature = await payFinal();
  await ask(signature);
  const terms = await openRefund(caller, signature);
  await land(signRefund({ terms, from: payout }));
  await query('INSERT INTO fee_changes (caller_id, freed_at) VALUES (?, ?)', caller.id, app.clock.now());
  await findRefund(signature);
  expect(await hasAccess({ follower, caller })).toBe(true);
  await expectRefusal(postOpen(signature), 'payments.refunded');
  await query('DELETE FROM fee_changes');
  await app.advance(MINUTE_MS);
  await app.services.refunds.searchDue();
  expect(await hasAccess({ follower, caller })).toBe(false);
});

it('after the same transfer was sent twice and rejected once, nothing else is sent while it can still land', async () => {
  const signature = await payFinal();
  const terms = await sendOnBusyNetwork(signature);
  const { publicKey } = payout;
  const lamports = (await balanceOf(publicKey.toBase58())) - SIGNATURE_FEE;
  const instructions = [transfer({ from: publicKey, to: payer.publicKey, lamports })];
  await land(sign({ instructions, signers: [payout], blockhash: terms.blockhash }));
  await app.advance(2 * SECOND_MS);
  await expectRefusal(sendRight(signature, terms), 'payments.insufficient_funds');
  await expectRefusal(postOpen(signature), 'payments.refund_pending');
});

it('many transactions that name the reference only delay the search', async () => {
  const signature = await payFinal();
  await ask(signature);
  const terms = await openRefund(caller, signature);
  for (let lamports = 0; lamports < 2 * READS_PER_SEARCH; lamports++) {
    const toSelf = transfer({ from: payer.publicKey, to: payer.publicKey, lamports: BigInt(lamports) });
    const instructions = [naming(toSelf, terms.refund.reference)];
    await land(sign({ instructions, signers: [payer], blockhash: terms.blockhash }));
  }
  await app.advance(SECOND_MS);
  const sent = await land(signRefund({ terms, from: payout }));
  await app.advance(11 * MINUTE_MS);
  for (let times = 0; times < 2; times += 1) expect(await search(signature)).toBeUndefined();
  expect(await search(signature)).toBe(sent);
});

it('the subscriber’s export has a refund without its reference', async () => {
  const { refund: opened } = await openRefund(caller, await payFinal());
  const exported = await (await follower.get('/api/user/export')).text();
  expect(exported).toContain('"refunds":[{"payment_id"');
  expect(exported).not.toContain(opened.reference);
});

it('a refund that no endpoint has confirmed to have is waited for', async () => {
  const signature = await payFinal();
  const terms = await openRefund(caller, signature);
  await failSolana({ status: 503, path: 'sendTransaction' });
  await readResponse(sendRight(signature, terms));
  await clearFaults();
  expect(await search(signature)).toBeUndefined();
  await expectRefusal(postOpen(signature), 'payments.refund_pending');
});

it('a refund can be sent again after its transfer was rejected', async () => {
  const signature = await payFinal();
  const rejected = await openRefund(caller, signature);
  await control('POST', '/solana/expire-blockhash');
  await expectRefusal(sendRight(signature, rejected), 'payments.blockhash_expired');
  await readResponse(sendRight(signature, await openRefund(caller, signature)));
});

it.each([200, 250, 1_000])(
  'at slots of %i ms, a refund is sent again only after its transfer’s last valid block is finalized',
  async (slotMs) => {
    await setSlotMs(app, slotMs);
    const signature = await payFinal();
    const { result } = await readResponse<{ result: string }>(
      sendRight(signature, await openRefund(caller, signature)),
    );
    await forget(result);
    await app.advance((BLOCKHASH_BLOCKS + 10) * slotMs);
    await expectRefusal(postOpen(signature), 'payments.refund_pending');
    await app.advance(30 * slotMs);
    await readResponse(sendRight(signature, await openRefund(caller, signature)));
  },
);

it('a refund can be sent again after its transfer has failed on the chain', async () => {
  const signature = await payFinal();
  const terms = await sendOnBusyNetwork(signature);
  const { publicKey } = payout;
  const lamports = (await balanceOf(publicKey.toBase58())) - SHARE;
  await land(
    sign({
      instructions: [transfer({ from: publicKey, to: payer.publicKey, lamports })],
      signers: [payout],
      blockhash: terms.blockhash,
    }),
  );
  await land(signRefund({ terms, from: payout }), { skipPreflight: true });
  await expectRefusal(postOpen(signature), 'payments.refund_pending');
  await app.advance(15 * SECOND_MS);
  await rpc('requestAirdrop', publicKey.toBase58(), Number(2n * SHARE));
  await readResponse(sendRight(signature, await openRefund(caller, signature)));
});

it('a transfer does not count as a refund without the reference, or after a fork removed it', async () => {
  const signature = await payFinal();
  const terms = await openRefund(caller, signature);
  await land(signRefund({ terms, from: payout, changes: { references: [] } }));
  const right = await land(signRefund({ terms, from: payout }));
  await app.advance(2_000);
  expect(await search(signature)).toBeUndefined();
  await forget(right);
  await app.advance(MINUTE_MS);
  expect(await search(signature)).toBeUndefined();
  expect(await hasAccess({ follower, caller })).toBe(true);
  expect(await listLedger()).toEqual(['granted', 'finalized']);
});

it('a single transfer with the references of two refunds refunds only one payment', async () => {
  const [one, two] = [await payFinal(), await payFinal()];
  await Promise.all([ask(one), ask(two)]);
  const first = await openRefund(caller, one);
  const second = await openRefund(caller, two);
  const references = [first.refund.reference, second.refund.reference];
  const sent = await land(signRefund({ terms: second, from: payout, changes: { references } }));
  const found = [await findRefund(one), await search(two)];
  expect(found.filter((signature) => signature !== undefined)).toEqual([sent]);
  expect((await listLedger()).filter((kind) => kind === 'refunded')).toHaveLength(1);
});

/** Pays back each payment with its own transfer, all in one transaction. */
const refundTogether = async (refunds: readonly OpenRefundResponse[]) => {
  const instructions = refunds.map(({ refund: { reference, toAddress, lamports } }) =>
    naming(
      transfer({
        from: payout.publicKey,
        to: new PublicKey(toAddress),
        lamports: BigInt(lamports),
      }),
      reference,
    ),
  );
  await land(sign({ instructions, signers: [payout], blockhash: refunds.at(-1)?.blockhash ?? '' }));
  await app.advance(MINUTE_MS);
  await searchRefunds(app);
};

it('one transaction pays back two payments of the same wallet, and the last one gets what is too much', async () => {
  const signatures = [await payFinal(), await payFinal()];
  await Promise.all(signatures.map(ask));
  const [one, two] = [
    await openRefund(caller, signatures[0] ?? ''),
    await openRefund(caller, signatures[1] ?? ''),
  ];
  await refundTogether([one, { ...two, refund: { ...two.refund, lamports: `${SHARE + 1n}` } }]);
  await searchRefunds(app);
  const receipts = await Promise.all(signatures.map((signature) => receiptOf(follower, signature)));
  expect(receipts.map(({ state }) => state)).toEqual(['refunded', 'refunded']);
  expect(receipts.map(({ paidBack }) => paidBack).toSorted()).toEqual(['0.45', '0.450000001']);
  expect(await countersOf(caller)).toMatchObject({ earned_lamports: 0 });
  expect(await problems()).toEqual([]);
});

it('one transaction pays back payments of two subscribers, each with its own transfer', async () => {
  const other = await app.signIn('other_follower');
  const wallet = await createFundedWallet();
  const { signature: second } = await pay({ person: other, payer: wallet, callerId: caller.id });
  const first = await payFinal();
  await ask(first);
  const asked = await openRefund(caller, first);
  const unasked = await openRefund(caller, second);
  await refundTogether([asked, unasked]);
  expect(await receiptOf(follower, first)).toMatchObject({ state: 'refunded', paidBack: '0.45' });
  expect(await receiptOf(other, second)).toMatchObject({ state: 'refunded', paidBack: '0.5' });
  expect(await problems()).toEqual([]);
});

it('a transfer of a wallet that is proven long afterwards counts once the refund is opened again', async () => {
  const signature = await payFinal();
  const terms = await openRefund(caller, signature);
  const late = await createFundedWallet();
  await land(signRefund({ terms, from: late, changes: { lamports: 100_000_000n } }));
  await app.advance(11 * MINUTE_MS);
  expect(await search(signature)).toBeUndefined();
  await openRefund(caller, signature);
  await query(
    "INSERT INTO wallets (id, user_id, address, proven_at, created_at) VALUES ('late', ?1, ?2, ?3, ?3)",
    caller.id,
    late.publicKey.toBase58(),
    app.clock.now() + 1,
  );
  await app.advance(SECOND_MS);
  expect((await openRefund(caller, signature)).refund.lamports).toBe('400000000');
  await ask(signature);
  const chat = await connectTelegram(app, caller);
  await app.runJobs('messages');
  await app.sender.deliver();
  expect((await writtenTo(chat)).at(-1)).toContain('If you pay 0.35 SOL (the rest of your share) back');
});

it('a transfer that names a refund and a payment intent does not count as a refund', async () => {
  const signature = await payFinal();
  const terms = await openRefund(caller, signature);
  const { intent } = await openIntent(follower, caller.id);
  const references = [terms.refund.reference, intent.reference];
  await land(signRefund({ terms, from: payout, changes: { references } }));
  await app.advance(MINUTE_MS);
  expect(await search(signature)).toBeUndefined();
});

it('only the caller who received a payment can refund the payment, and only after finalization', async () => {
  const { signature } = await pay({ person: follower, payer, callerId: caller.id });
  await expectRefusal(postOpen(signature), 'payments.not_final');
  await settle({ app });
  const other = await createCaller(app, 'other_calls');
  for (const person of [follower, other]) {
    await expectRefusal(
      person.post('/api/solana/open-refund', refundBody(signature, payout)),
      'payments.not_found',
    );
  }
  await openRefund(caller, signature);
});

it('a suspended caller who requested deletion can still refund a subscriber whose account is deleted', async () => {
  const signature = await payFinal();
  await ask(signature);
  await readResponse(caller.post('/api/user/deletion', { handle: caller.handle }));
  await query('UPDATE users SET is_suspended = 1 WHERE id = ?', caller.id);
  await readResponse(follower.post('/api/user/deletion', { handle: follower.handle }));
  const terms = await openRefund(caller, signature);
  const sent = await land(signRefund({ terms, from: payout }));
  expect(await findRefund(signature)).toBe(sent);
  expect(await listLedger()).toContain('refunded');
});

it('a full refund does not shorten the free 30 days after a new fee', async () => {
  const signature = await payFinal();
  await app.advance(20 * DAY_MS);
  caller = await app.signIn(caller.handle);
  for (const monthlyFee of [null, '0.5']) {
    await readResponse(caller.patch('/api/user/caller-profile', { monthlyFee }));
  }
  const graceEnd = app.clock.now() + SUBSCRIPTION_PERIOD_MS;
  await refund(signature);
  const now = app.clock.now();
  const all = await periods();
  expect(all[0]?.[1]).toBe(now);
  expect(all[1]).toEqual([now, graceEnd]);
});

it('the database rejects an end without its transfers, changes of recorded refunds and of opened requests, and entries after the end', async () => {
  const signature = await payFinal();
  await refund(signature, { lamports: SHARE - 1n });
  const statements = [
    "INSERT INTO payment_ledger (id, payment_id, kind, at) SELECT 'x', id, 'refunded', 1 FROM payments",
    'DELETE FROM refunds',
    'DELETE FROM refund_transfers',
    'UPDATE refund_transfers SET lamports = lamports + 1',
    "UPDATE refunds SET reference = 'x'",
    'UPDATE refunds SET asked_at = NULL',
    'UPDATE refunds SET opened_at = 1',
    "INSERT OR REPLACE INTO refunds (payment_id, reference) SELECT id, 'x' FROM payments",
    'INSERT INTO refund_transfers (signature, payment_id, lamports, slot, paid_at, at) SELECT signature, id, 1, 1, 1, 1 FROM payments',
  ];
  for (const statement of statements) await expect(query(statement)).rejects.toThrow(/refund/);
  await refund(signature, { lamports: 1n });
  for (const kind of ['refunded', 'revoked', 'moved']) {
    const times = kind === 'moved' ? '1, 2' : 'NULL, NULL';
    await expect(
      query(
        `INSERT INTO payment_ledger (id, payment_id, kind, starts_at, ends_at, at) SELECT 'x', id, '${kind}', ${times}, 3 FROM payments`,
      ),
    ).rejects.toThrow('cannot follow');
  }
});
