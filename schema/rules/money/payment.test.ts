import { expect, it } from 'vitest';
import { MAX_LANDING_MS, CHAIN_CLOCK_SKEW_MS } from '#schema/constants/money.ts';
import {
  matchLanded,
  matchTransfers,
  type IntentTerms,
  type LandedTransaction,
  type Transfer,
} from './payment.ts';

const terms: IntentTerms = {
  reference: 'ref',
  callerAddress: 'caller',
  platformAddress: 'platform',
  callerLamports: 900n,
  platformLamports: 100n,
  createdAt: 1_000_000_000,
  expiresAt: 1_000_600_000,
};
const leg = (destination: string, lamports: bigint, source = 'payer'): Transfer => ({
  source,
  destination,
  lamports,
});
const legs = [leg('caller', 900n), leg('platform', 100n)];
const landed = (change: Partial<LandedTransaction> = {}): LandedTransaction => ({
  accounts: ['payer', 'caller', 'platform', 'ref', 'program'],
  signers: ['payer'],
  transfers: legs,
  hasFailed: false,
  blockTime: terms.createdAt + 5_000,
  balanceChanges: new Map([
    ['payer', -1_005n],
    ['caller', 900n],
    ['platform', 100n],
  ]),
  feePayer: 'payer',
  feeLamports: 5n,
  ...change,
});

it('a payment with exactly the two transfers is accepted, and transfers by a wallet that didn’t sign are ignored', () => {
  const unsigned = [leg('caller', 900n, 'vault'), leg('platform', 100n, 'vault')];
  expect(matchLanded(landed(), terms)).toEqual({ payer: 'payer' });
  expect(matchLanded(landed({ transfers: [...unsigned, ...legs] }), terms)).toEqual({ payer: 'payer' });
});

it('a payment without a platform transfer is accepted if the platform’s part is 0', () => {
  const tiny = { ...terms, callerLamports: 9n, platformLamports: 0n };
  const change = { transfers: [leg('caller', 9n)], balanceChanges: new Map([['caller', 9n]]) };
  expect(matchLanded(landed(change), tiny)).toEqual({ payer: 'payer' });
});

it('a transaction in which two signers pay in full is accepted as a payment by the first signer', () => {
  const transfers = [...legs, leg('caller', 900n, 'other'), leg('platform', 100n, 'other')];
  expect(matchTransfers(landed({ transfers, signers: ['other', 'payer'] }), terms)).toEqual({
    payer: 'other',
  });
  expect(
    matchTransfers(landed({ transfers: transfers.toReversed(), signers: ['payer', 'other'] }), terms),
  ).toEqual({ payer: 'payer' });
});

it('a payment at the earliest and at the latest permitted block time is accepted', () => {
  const earliest = terms.createdAt - CHAIN_CLOCK_SKEW_MS;
  const latest = terms.expiresAt + MAX_LANDING_MS + CHAIN_CLOCK_SKEW_MS;
  for (const blockTime of [earliest, latest]) {
    expect(matchLanded(landed({ blockTime }), terms)).not.toHaveProperty('mismatch');
  }
});

const pays = (caller: bigint, platform: bigint, source = 'payer') => ({
  transfers: [leg('caller', caller, source), leg('platform', platform, source)],
});
it.each<[string, string, Partial<LandedTransaction>]>([
  ['one lamport less to the caller', 'wrong_amount', pays(899n, 100n)],
  ['one lamport more to the caller', 'wrong_amount', pays(901n, 100n)],
  ['one lamport less to the platform', 'wrong_amount', pays(900n, 99n)],
  ['swapped amounts', 'wrong_amount', pays(100n, 900n)],
  ['both transfers twice', 'wrong_amount', { transfers: [...legs, ...legs] }],
  [
    'transfers from two wallets',
    'wrong_amount',
    { transfers: [leg('caller', 900n), leg('platform', 100n, 'other')], signers: ['payer', 'other'] },
  ],
  ['no transfer to the caller', 'wrong_recipient', { transfers: [leg('platform', 100n)] }],
  ['no transfer to the platform', 'wrong_recipient', { transfers: [leg('caller', 900n)] }],
  ['no transfers', 'wrong_recipient', { transfers: [] }],
  ['the caller as payer', 'wrong_recipient', { ...pays(900n, 100n, 'caller'), signers: ['caller'] }],
  ['the platform as payer', 'wrong_recipient', { ...pays(900n, 100n, 'platform'), signers: ['platform'] }],
  [
    'one lamport too little and a late block time',
    'wrong_amount',
    { ...pays(899n, 100n), blockTime: terms.expiresAt * 2 },
  ],
  ['a failed transaction and no reference', 'failed_on_chain', { hasFailed: true, accounts: [] }],
  ['an unchanged platform balance', 'money_flowed_back', { balanceChanges: new Map([['caller', 900n]]) }],
])('a payment with %s is rejected (%s)', (_name, mismatch, change) => {
  expect(matchLanded(landed(change), terms)).toEqual({ mismatch });
});

it('a payment with an unknown block time is rejected even if the intent’s times are 0', () => {
  expect(matchLanded(landed({ blockTime: null }), { ...terms, createdAt: 0, expiresAt: 0 })).toEqual({
    mismatch: 'outside_time_window',
  });
});

it('a payment to a caller with the platform’s address is rejected', () => {
  expect(
    matchLanded(landed({ transfers: [leg('caller', 900n), leg('caller', 100n)] }), {
      ...terms,
      platformAddress: 'caller',
    }),
  ).toEqual({ mismatch: 'wrong_amount' });
});
