import { Keypair, PublicKey, SystemProgram, TransactionMessage, VersionedTransaction } from '@solana/web3.js';
import { expect, test } from 'vitest';
import { signVersion1 } from './sign-version-1.ts';
import { createVm } from './vm.ts';
import { decodeTransaction, WireError } from './wire.ts';

const payer = Keypair.fromSeed(new Uint8Array(32).fill(1));

const instruction = SystemProgram.transfer({
  fromPubkey: payer.publicKey,
  toPubkey: PublicKey.default,
  lamports: 7,
});

function message() {
  return new TransactionMessage({
    payerKey: payer.publicKey,
    recentBlockhash: PublicKey.default.toBase58(),
    instructions: [instruction],
  });
}

function signed(version: 'legacy' | 0 | 1): Uint8Array {
  if (version === 1) {
    return signVersion1({
      instructions: [instruction],
      signers: [payer],
      blockhash: PublicKey.default.toBase58(),
    });
  }
  const compiled = version === 0 ? message().compileToV0Message() : message().compileToLegacyMessage();
  const transaction = new VersionedTransaction(compiled);
  transaction.sign([payer]);
  return transaction.serialize();
}

test('decodeTransaction refuses every changed byte that would make the runtime abort the process', () => {
  const vm = createVm();
  let refused = 0;
  for (const raw of [signed('legacy'), signed(0), signed(1)]) {
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
