import {
  Keypair,
  SystemInstruction,
  SystemProgram,
  Transaction,
  VersionedTransaction,
} from '@solana/web3.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PaymentIntent } from '#schema/contracts/payments.ts';
import { splitFee } from '#schema/rules/lamports.ts';
import { buildPayment, readSignature } from './build-payment.ts';

const address = () => Keypair.generate().publicKey.toBase58();
const payer = Keypair.generate();
const blockhash = address();

function intentOf(callerLamports: bigint, platformLamports: bigint): PaymentIntent {
  return {
    id: 'intent-1',
    reference: address(),
    callerAddress: address(),
    callerLamports: `${callerLamports}`,
    platformAddress: address(),
    platformLamports: `${platformLamports}`,
    expiresAt: '2026-11-21T10:00:00.000Z',
  };
}

const build = (intent: PaymentIntent) =>
  Transaction.from(buildPayment({ intent, payer: payer.publicKey.toBase58(), blockhash }));

describe('the transaction of a payment', () => {
  it('[9.3] has two legs with the integers of the intent, whatever they are', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 10n, max: 10n ** 15n }), (total) => {
        const { callerLamports, platformLamports } = splitFee(total);
        const intent = intentOf(callerLamports, platformLamports);
        const legs = build(intent).instructions.map((instruction) =>
          SystemInstruction.decodeTransfer(instruction),
        );
        expect(
          legs.map(({ fromPubkey, toPubkey, lamports }) => [
            fromPubkey.toBase58(),
            toPubkey.toBase58(),
            lamports,
          ]),
        ).toEqual([
          [payer.publicKey.toBase58(), intent.callerAddress, callerLamports],
          [payer.publicKey.toBase58(), intent.platformAddress, platformLamports],
        ]);
      }),
      { numRuns: 50 },
    );
  });

  it('carries exact lamports past the safe integers of a double', () => {
    const intent = intentOf(9_007_199_254_740_993n, 1n);
    const [caller] = build(intent).instructions;
    expect(caller && SystemInstruction.decodeTransfer(caller).lamports).toBe(9_007_199_254_740_993n);
  });

  it('names the reference on both legs, read-only and without a signature', () => {
    const intent = intentOf(900n, 100n);
    for (const instruction of build(intent).instructions) {
      expect(instruction.programId.equals(SystemProgram.programId)).toBe(true);
      const { pubkey, isSigner, isWritable } = instruction.keys.at(-1) ?? {};
      expect([pubkey?.toBase58(), isSigner, isWritable]).toEqual([intent.reference, false, false]);
    }
  });

  it('is for one signer, who pays the network fee, on the blockhash of the intent, and is unsigned', () => {
    const bytes = buildPayment({
      intent: intentOf(900n, 100n),
      payer: payer.publicKey.toBase58(),
      blockhash,
    });
    const { message } = VersionedTransaction.deserialize(bytes);
    expect(message.header.numRequiredSignatures).toBe(1);
    expect(message.staticAccountKeys[0]?.equals(payer.publicKey)).toBe(true);
    expect(message.recentBlockhash).toBe(blockhash);
    expect(readSignature(bytes)).toBeNull();
  });

  it('is known by the signature of its payer', () => {
    const transaction = build(intentOf(900n, 100n));
    transaction.sign(payer);
    expect(readSignature(new Uint8Array(transaction.serialize()))).toMatch(/^[1-9A-HJ-NP-Za-km-z]{64,88}$/);
  });

  it.each([
    ['an address that is none', { callerAddress: 'not-an-address' }],
    ['an amount that is none', { callerLamports: '0.9' }],
    ['a negative amount', { callerLamports: '-900' }],
  ])('is not built from %s', (_what, wrong) => {
    expect(() => build({ ...intentOf(900n, 100n), ...wrong })).toThrow();
  });

  it('is not built where both legs go to one address, which could not be told apart', () => {
    const one = address();
    expect(() => build({ ...intentOf(900n, 100n), callerAddress: one, platformAddress: one })).toThrow(
      'does not match the intent',
    );
  });
});
