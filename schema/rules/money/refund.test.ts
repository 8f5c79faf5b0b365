import { expect, it } from 'vitest';
import { refundedLamports } from './refund.ts';

const terms = { reference: 'reference', fromAddress: 'payout', toAddress: 'payer', paymentSlot: 10 };
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
