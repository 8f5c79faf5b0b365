import { Keypair, PublicKey, SystemProgram, TransactionMessage, VersionedTransaction } from '@solana/web3.js';
import { expect, test } from 'vitest';
import { createVm } from './vm.ts';
import { decodeTransaction, WireError } from './wire.ts';

const payer = Keypair.fromSeed(new Uint8Array(32).fill(1));

function message() {
  const instruction = SystemProgram.transfer({
    fromPubkey: payer.publicKey,
    toPubkey: PublicKey.default,
    lamports: 7,
  });
  return new TransactionMessage({
    payerKey: payer.publicKey,
    recentBlockhash: PublicKey.default.toBase58(),
    instructions: [instruction],
  });
}

function signed(version: 'legacy' | 0): Uint8Array {
  const compiled = version === 0 ? message().compileToV0Message() : message().compileToLegacyMessage();
  const transaction = new VersionedTransaction(compiled);
  transaction.sign([payer]);
  return transaction.serialize();
}

test('decodeTransaction refuses every changed byte that would make the runtime abort the process', () => {
  const vm = createVm();
  let refused = 0;
  for (const raw of [signed('legacy'), signed(0)]) {
    for (let offset = 0; offset < raw.length; offset += 1) {
      for (const value of [0, 1, 2, 127, 128, 129, 255]) {
        const changed = Uint8Array.from(raw);
        changed[offset] = value;
        try {
          decodeTransaction(changed);
        } catch (error) {
          expect(error).toBeInstanceOf(WireError);
          refused += 1;
          continue;
        }
        // The native code would abort this process if `decodeTransaction` accepted bad bytes.
        vm.simulate(changed, { verifySignatures: false });
      }
    }
  }
  expect(refused).toBeGreaterThan(50);
});
