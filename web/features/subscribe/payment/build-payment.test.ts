import {
  ComputeBudgetInstruction,
  ComputeBudgetProgram,
  Keypair,
  SystemInstruction,
  SystemProgram,
  Transaction,
  VersionedTransaction,
} from '@solana/web3.js';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { PaymentIntent } from '#schema/contracts/payments.ts';
import { splitFee } from '#schema/rules/money/lamports.ts';
import { buildPayment, readSignature } from './build-payment.ts';

const address = () => Keypair.generate().publicKey.toBase58();
const payer = Keypair.generate();
const blockhash = address();

function intentOf(callerLamports: bigint, platformLamports: bigint): PaymentIntent {
  return {
    id: 'intent-1',
    days: 30,
    feeLamports: `${callerLamports + platformLamports}`,
    reference: address(),
    callerAddress: address(),
    callerLamports: `${callerLamports}`,
    platformAddress: address(),
    platformLamports: `${platformLamports}`,
    expiresAt: '2026-11-21T10:00:00.000Z',
  };
}

const computeBudget = { computeUnitLimit: 200_000, microLamports: '123456' };
const bytesOf = (intent: PaymentIntent) =>
  buildPayment({ intent, payer: payer.publicKey.toBase58(), blockhash, computeBudget });
const build = (intent: PaymentIntent) => Transaction.from(bytesOf(intent));
const legsOf = (intent: PaymentIntent) =>
  build(intent).instructions.filter(({ programId }) => programId.equals(SystemProgram.programId));

// Specification 9.3
it('buildPayment creates two transfers with exactly the amounts of the intent', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 10n, max: 10n ** 18n }), (total) => {
      const { callerLamports, platformLamports } = splitFee(total);
      const intent = intentOf(callerLamports, platformLamports);
      const legs = legsOf(intent).map((instruction) => SystemInstruction.decodeTransfer(instruction));
      const from = payer.publicKey.toBase58();
      const texts = legs.map((leg) => [leg.fromPubkey.toBase58(), leg.toPubkey.toBase58(), leg.lamports]);
      expect(texts).toEqual([
        [from, intent.callerAddress, callerLamports],
        [from, intent.platformAddress, platformLamports],
      ]);
    }),
    // The caller's part of the example isn't exact as a number.
    { numRuns: 50, examples: [[90_071_992_547_409_930n]] },
  );
});

it('buildPayment adds the reference to both transfers as a read-only non-signer', () => {
  const intent = intentOf(900n, 100n);
  expect(legsOf(intent)).toHaveLength(2);
  for (const instruction of legsOf(intent)) {
    const { pubkey, isSigner, isWritable } = instruction.keys.at(-1) ?? {};
    expect([pubkey?.toBase58(), isSigner, isWritable]).toEqual([intent.reference, false, false]);
  }
});

it('the first two instructions of buildPayment set the compute units and their price', () => {
  const [limit, price] = build(intentOf(900n, 100n)).instructions.map((instruction) =>
    instruction.programId.equals(ComputeBudgetProgram.programId) ? instruction : undefined,
  );
  expect(limit && ComputeBudgetInstruction.decodeSetComputeUnitLimit(limit).units).toBe(200_000);
  expect(price && ComputeBudgetInstruction.decodeSetComputeUnitPrice(price).microLamports).toBe(123_456n);
});

it('buildPayment returns an unsigned transaction with the payer as only signer and the intent’s blockhash', () => {
  const intent = intentOf(900n, 100n);
  const bytes = bytesOf(intent);
  const { message } = VersionedTransaction.deserialize(bytes);
  expect(message.header.numRequiredSignatures).toBe(1);
  expect(message.staticAccountKeys[0]?.equals(payer.publicKey)).toBe(true);
  expect(message.recentBlockhash).toBe(blockhash);
  expect(readSignature({ signed: bytes, reference: intent.reference })).toBeNull();
});

it('readSignature returns the fee payer’s signature in base58, but none for another intent’s transaction', () => {
  const intent = intentOf(900n, 100n);
  const transaction = build(intent);
  transaction.sign(payer);
  const signed = new Uint8Array(transaction.serialize());
  expect(readSignature({ signed, reference: intent.reference })).toMatch(/^[1-9A-HJ-NP-Za-km-z]{64,88}$/);
  expect(readSignature({ signed, reference: address() })).toBeNull();
});

it.each([
  ['an invalid address', { callerAddress: 'not-an-address' }],
  ['a fractional amount', { callerLamports: '0.9' }],
  ['a negative amount', { callerLamports: '-900' }],
])('buildPayment refuses to build from %s', (_what, wrong) => {
  expect(() => build({ ...intentOf(900n, 100n), ...wrong })).toThrow();
});

it('buildPayment refuses an intent whose two transfers have the same recipient', () => {
  const one = address();
  expect(() => build({ ...intentOf(900n, 100n), callerAddress: one, platformAddress: one })).toThrow(
    'does not match the intent',
  );
});
