import { expect, it } from 'vitest';
import { refundBalance, refundedLamports } from './refund.ts';

const terms = {
  reference: 'reference',
  fromAddresses: ['payout', 'second'],
  toAddress: 'payer',
  paymentSlot: 10,
};
const refund = {
  accounts: ['payout', 'payer', 'reference'],
  signers: ['payout'],
  transfers: [{ source: 'payout', destination: 'payer', lamports: 90n }],
  hasFailed: false,
  blockTime: 1,
  balanceChanges: new Map([
    ['payout', -95n],
    ['payer', 90n],
  ]),
  feePayer: 'payout',
  feeLamports: 5n,
  slot: 11,
};

it('a transfer with the reference from the paid wallet to the paying wallet is a refund', () => {
  expect(refundedLamports(refund, terms)).toBe(90n);
});

it('a refund is the sum of its transfers, whoever pays the network fee', () => {
  const [transfer] = refund.transfers;
  const split = { ...refund, transfers: [transfer, transfer].flatMap((each) => each ?? []) };
  expect(refundedLamports({ ...split, balanceChanges: new Map([['payer', 180n]]) }, terms)).toBe(180n);
  const fee = { feePayer: 'payer', balanceChanges: new Map([['payer', 85n]]), signers: ['payer', 'payout'] };
  expect(refundedLamports({ ...refund, ...fee }, terms)).toBe(90n);
});

it('a refund adds up what several wallets of the caller send, and counts nothing that a wallet sends to itself', () => {
  const [transfer] = refund.transfers;
  const transfers = [transfer, { source: 'second', destination: 'payer', lamports: 5n }].flatMap(
    (each) => each ?? [],
  );
  const both = {
    ...refund,
    transfers,
    signers: ['payout', 'second'],
    balanceChanges: new Map([['payer', 95n]]),
  };
  expect(refundedLamports(both, terms)).toBe(95n);
  expect(refundedLamports({ ...both, signers: ['payout'] }, terms)).toBe(90n);
  const toSelf = { ...refund, transfers: [{ source: 'payout', destination: 'payout', lamports: 90n }] };
  expect(refundedLamports(toSelf, { ...terms, toAddress: 'payout' })).toBe(0n);
});

it.each([
  { isAsked: true, paidBack: 0n, left: 90n, tooMuch: 0n, earned: 90n },
  { isAsked: true, paidBack: 89n, left: 1n, tooMuch: 0n, earned: 1n },
  { isAsked: true, paidBack: 91n, left: 0n, tooMuch: 1n, earned: 0n },
  { isAsked: false, paidBack: 90n, left: 10n, tooMuch: 0n, earned: 0n },
  { isAsked: false, paidBack: 180n, left: 0n, tooMuch: 80n, earned: 0n },
])('of a refund, $left is left after $paidBack were paid back', ({ isAsked, paidBack, ...balance }) => {
  expect(refundBalance({ callerLamports: 90n, totalLamports: 100n, isAsked, paidBack })).toEqual(balance);
});

it.each([
  ['failed', { hasFailed: true }],
  ['came in the block of the payment', { slot: 10 }],
  ['lacks the reference', { accounts: ['payout', 'payer'] }],
  ['comes from another wallet', { transfers: [{ source: 'other', destination: 'payer', lamports: 90n }] }],
  ['goes to another wallet', { transfers: [{ source: 'payout', destination: 'other', lamports: 90n }] }],
  ['isn’t signed by the paid wallet', { signers: ['other'] }],
  ['leaves nothing with the paying wallet', { balanceChanges: new Map([['payer', 0n]]) }],
  [
    'sends the money back',
    {
      transfers: [
        { source: 'payout', destination: 'payer', lamports: 90n },
        { source: 'payer', destination: 'payout', lamports: 90n },
      ],
    },
  ],
])('a transaction that %s refunds nothing', (_what, changes) => {
  expect(refundedLamports({ ...refund, ...changes }, terms)).toBe(0n);
});
