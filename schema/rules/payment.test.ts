import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BLOCKHASH_LIFETIME_MS, CHAIN_CLOCK_SKEW_MS } from '#schema/constants.ts';
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

describe('a transaction pays its intent', () => {
  it.each<[string, Partial<LandedTransaction>]>([
    ['exactly', {}],
    ['with its transfers in reverse order', { transfers: legs.toReversed() }],
    ['with other transfers around it', { transfers: [leg('tip', 7n), ...legs, leg('tip', 9n)] }],
    [
      "with another user's transfer to the caller",
      { transfers: [leg('caller', 5n, 'stranger'), ...legs], signers: ['payer', 'stranger'] },
    ],
    [
      'in several transfers that add up',
      { transfers: [leg('caller', 400n), leg('caller', 500n), leg('platform', 100n)] },
    ],
    ['signed by more than the payer', { signers: ['relayer', 'payer'] }],
    [
      'next to a program account that pays the same without signing',
      { transfers: [leg('caller', 900n, 'vault'), leg('platform', 100n, 'vault'), ...legs] },
    ],
    [
      'while a recipient sends something to themselves',
      { transfers: [leg('caller', 7n, 'caller'), ...legs, leg('platform', 7n, 'platform')] },
    ],
    ['at the edges of its time', { blockTime: terms.createdAt - CHAIN_CLOCK_SKEW_MS }],
    ['at the other edge', { blockTime: terms.expiresAt + BLOCKHASH_LIFETIME_MS + CHAIN_CLOCK_SKEW_MS }],
    [
      'with the caller paying the network’s fee',
      {
        signers: ['caller', 'payer'],
        feePayer: 'caller',
        balanceChanges: new Map([
          ['payer', -1_000n],
          ['caller', 895n],
          ['platform', 100n],
        ]),
      },
    ],
  ])('%s', (_name, change) => {
    expect(matchLanded(landed(change), terms)).toEqual({ payer: 'payer' });
  });

  it('without a platform transfer if the platform gets nothing', () => {
    const tiny = { ...terms, callerLamports: 9n, platformLamports: 0n };
    const change = { transfers: [leg('caller', 9n)], balanceChanges: new Map([['caller', 9n]]) };
    expect(matchLanded(landed(change), tiny)).toEqual({ payer: 'payer' });
  });

  it('as the first signer, if two pay the full amount', () => {
    const transfers = [...legs, leg('caller', 900n, 'other'), leg('platform', 100n, 'other')];
    expect(matchTransfers(landed({ transfers, signers: ['other', 'payer'] }), terms)).toEqual({
      payer: 'other',
    });
    expect(
      matchTransfers(landed({ transfers: transfers.toReversed(), signers: ['payer', 'other'] }), terms),
    ).toEqual({ payer: 'payer' });
  });
});

describe('a transaction does not pay', () => {
  it.each<[string, string, Partial<LandedTransaction>]>([
    [
      'one lamport less to the caller',
      'wrong_amount',
      { transfers: [leg('caller', 899n), leg('platform', 100n)] },
    ],
    [
      'one lamport more to the caller',
      'wrong_amount',
      { transfers: [leg('caller', 901n), leg('platform', 100n)] },
    ],
    [
      'one lamport less to the platform',
      'wrong_amount',
      { transfers: [leg('caller', 900n), leg('platform', 99n)] },
    ],
    ['swapped legs', 'wrong_amount', { transfers: [leg('caller', 100n), leg('platform', 900n)] }],
    ['paid twice in one', 'wrong_amount', { transfers: [...legs, ...legs] }],
    [
      'transfers from two sources',
      'wrong_amount',
      { transfers: [leg('caller', 900n), leg('platform', 100n, 'other')], signers: ['payer', 'other'] },
    ],
    ['no leg to the caller', 'wrong_recipient', { transfers: [leg('platform', 100n)] }],
    ['no leg to the platform', 'wrong_recipient', { transfers: [leg('caller', 900n)] }],
    ['nothing', 'wrong_recipient', { transfers: [] }],
    [
      'the caller paying themselves',
      'wrong_recipient',
      { transfers: [leg('caller', 900n, 'caller'), leg('platform', 100n, 'caller')], signers: ['caller'] },
    ],
    [
      'the platform paying itself',
      'wrong_recipient',
      {
        transfers: [leg('caller', 900n, 'platform'), leg('platform', 100n, 'platform')],
        signers: ['platform'],
      },
    ],
    ['without the reference', 'missing_reference', { accounts: ['payer', 'caller', 'platform'] }],
    ['unsigned by the payer', 'payer_did_not_sign', { signers: ['relayer'] }],
    ['failed', 'failed_on_chain', { hasFailed: true }],
    ['too early', 'outside_time_window', { blockTime: terms.createdAt - CHAIN_CLOCK_SKEW_MS - 1 }],
    [
      'too late',
      'outside_time_window',
      { blockTime: terms.expiresAt + BLOCKHASH_LIFETIME_MS + CHAIN_CLOCK_SKEW_MS + 1 },
    ],
    ['sends some of it back', 'money_flowed_back', { transfers: [...legs, leg('payer', 1n, 'caller')] }],
    [
      'sends some of the platform’s part on',
      'money_flowed_back',
      { transfers: [...legs, leg('stranger', 1n, 'platform')] },
    ],
    ['at no time', 'outside_time_window', { blockTime: null }],
    [
      'late and a lamport short, reported as the amount',
      'wrong_amount',
      { blockTime: terms.expiresAt * 2, transfers: [leg('caller', 899n), leg('platform', 100n)] },
    ],
    [
      'failed and without the reference, reported as failed',
      'failed_on_chain',
      { hasFailed: true, accounts: [] },
    ],
    [
      'money that flowed back',
      'money_flowed_back',
      {
        balanceChanges: new Map([
          ['caller', 899n],
          ['platform', 100n],
        ]),
      },
    ],
    [
      'the platform’s money flowed back',
      'money_flowed_back',
      { balanceChanges: new Map([['caller', 900n]]) },
    ],
  ])('%s', (_name, mismatch, change) => {
    expect(matchLanded(landed(change), terms)).toEqual({ mismatch });
  });

  it('without a block time, even if the intent has no start', () => {
    expect(matchLanded(landed({ blockTime: null }), { ...terms, createdAt: 0, expiresAt: 0 })).toEqual({
      mismatch: 'outside_time_window',
    });
  });

  it('if caller and platform share an address', () => {
    expect(
      matchLanded(landed({ transfers: [leg('caller', 900n), leg('caller', 100n)] }), {
        ...terms,
        platformAddress: 'caller',
      }),
    ).toEqual({ mismatch: 'wrong_amount' });
  });

  it('with any other pair of amounts', () => {
    const amount = fc.bigInt({ min: 0n, max: 2_000n });
    fc.assert(
      fc.property(amount, amount, (toCaller, toPlatform) => {
        const verdict = matchTransfers(
          landed({ transfers: [leg('caller', toCaller), leg('platform', toPlatform)] }),
          terms,
        );
        return 'payer' in verdict === (toCaller === 900n && toPlatform === 100n);
      }),
    );
  });
});
