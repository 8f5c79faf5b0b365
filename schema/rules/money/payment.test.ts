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

describe('matchLanded and matchTransfers accept', () => {
  it('exactly the two transfers, also next to an account that pays the same without signing', () => {
    const unsigned = [leg('caller', 900n, 'vault'), leg('platform', 100n, 'vault')];
    expect(matchLanded(landed(), terms)).toEqual({ payer: 'payer' });
    expect(matchLanded(landed({ transfers: [...unsigned, ...legs] }), terms)).toEqual({ payer: 'payer' });
  });

  it('no platform transfer if the platform’s part is 0', () => {
    const tiny = { ...terms, callerLamports: 9n, platformLamports: 0n };
    const change = { transfers: [leg('caller', 9n)], balanceChanges: new Map([['caller', 9n]]) };
    expect(matchLanded(landed(change), tiny)).toEqual({ payer: 'payer' });
  });

  it('two signers that each pay in full, and return the first as payer', () => {
    const transfers = [...legs, leg('caller', 900n, 'other'), leg('platform', 100n, 'other')];
    expect(matchTransfers(landed({ transfers, signers: ['other', 'payer'] }), terms)).toEqual({
      payer: 'other',
    });
    expect(
      matchTransfers(landed({ transfers: transfers.toReversed(), signers: ['payer', 'other'] }), terms),
    ).toEqual({ payer: 'payer' });
  });

  it('the earliest and the latest permitted block time', () => {
    const earliest = terms.createdAt - CHAIN_CLOCK_SKEW_MS;
    const latest = terms.expiresAt + BLOCKHASH_LIFETIME_MS + CHAIN_CLOCK_SKEW_MS;
    for (const blockTime of [earliest, latest]) {
      expect(matchLanded(landed({ blockTime }), terms)).not.toHaveProperty('mismatch');
    }
  });
});

describe('matchLanded and matchTransfers reject', () => {
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
    ['swapped amounts', 'wrong_amount', { transfers: [leg('caller', 100n), leg('platform', 900n)] }],
    ['both transfers twice', 'wrong_amount', { transfers: [...legs, ...legs] }],
    [
      'transfers from two wallets',
      'wrong_amount',
      { transfers: [leg('caller', 900n), leg('platform', 100n, 'other')], signers: ['payer', 'other'] },
    ],
    ['no transfer to the caller', 'wrong_recipient', { transfers: [leg('platform', 100n)] }],
    ['no transfer to the platform', 'wrong_recipient', { transfers: [leg('caller', 900n)] }],
    ['no transfers', 'wrong_recipient', { transfers: [] }],
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
    [
      'a late payment one lamport short, because of its amount',
      'wrong_amount',
      { blockTime: terms.expiresAt * 2, transfers: [leg('caller', 899n), leg('platform', 100n)] },
    ],
    [
      'a failed transaction without the reference, because it failed',
      'failed_on_chain',
      { hasFailed: true, accounts: [] },
    ],
    ['an unchanged platform balance', 'money_flowed_back', { balanceChanges: new Map([['caller', 900n]]) }],
  ])('%s', (_name, mismatch, change) => {
    expect(matchLanded(landed(change), terms)).toEqual({ mismatch });
  });

  it('an unknown block time even if the intent’s times are 0', () => {
    expect(matchLanded(landed({ blockTime: null }), { ...terms, createdAt: 0, expiresAt: 0 })).toEqual({
      mismatch: 'outside_time_window',
    });
  });

  it('a caller with the platform’s address', () => {
    expect(
      matchLanded(landed({ transfers: [leg('caller', 900n), leg('caller', 100n)] }), {
        ...terms,
        platformAddress: 'caller',
      }),
    ).toEqual({ mismatch: 'wrong_amount' });
  });
});
