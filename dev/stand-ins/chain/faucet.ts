import { createHash } from 'node:crypto';
import { Keypair, PublicKey, SystemProgram, Transaction } from '@solana/web3.js';

export const FAUCET_LAMPORTS = 500_000_000n * 1_000_000_000n;

export type Faucet = ReturnType<typeof createFaucet>;

/** The account that airdrops come from, derived from the ledger's seed. */
export function createFaucet(seed: string) {
  const keypair = Keypair.fromSeed(createHash('sha256').update(`faucet:${seed}`).digest());
  return {
    address: keypair.publicKey.toBase58(),
    transfer({ to, lamports, blockhash }: { to: string; lamports: bigint; blockhash: string }) {
      const transaction = new Transaction({ feePayer: keypair.publicKey, recentBlockhash: blockhash }).add(
        SystemProgram.transfer({ fromPubkey: keypair.publicKey, toPubkey: new PublicKey(to), lamports }),
      );
      transaction.sign(keypair);
      return transaction.serialize({ verifySignatures: false });
    },
  };
}
