import {
  ComputeBudgetProgram,
  Keypair,
  PublicKey,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import bs58 from 'bs58';
import type { ComputeBudget } from '#schema/rules/money/network-fee.ts';
import { fromBase64, toBase64 } from '../../shared/base64.ts';

const MEMO_PROGRAM = new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr');

interface Memo {
  readonly text: string;
  readonly blockhash: string;
  readonly budget: ComputeBudget;
}

export interface SignedMemo {
  readonly signature: string;
  readonly signedBytes: string;
}

export type AnchorWallet = ReturnType<typeof createAnchorWallet>;

export function createAnchorWallet(seed: string) {
  // Deriving the key takes milliseconds, which would delay the worker's start.
  let opened: Keypair | undefined;
  const open = () => (opened ??= Keypair.fromSeed(fromBase64(seed)));
  return {
    address: (): string => open().publicKey.toBase58(),

    /** Signs a transaction whose only effect is the text in the chain's history. */
    signMemo({ text, blockhash, budget }: Memo): SignedMemo {
      const keypair = open();
      const message = new TransactionMessage({
        payerKey: keypair.publicKey,
        recentBlockhash: blockhash,
        instructions: [
          ComputeBudgetProgram.setComputeUnitLimit({ units: budget.computeUnitLimit }),
          ComputeBudgetProgram.setComputeUnitPrice({ microLamports: budget.microLamports }),
          new TransactionInstruction({ programId: MEMO_PROGRAM, keys: [], data: Buffer.from(text) }),
        ],
      }).compileToLegacyMessage();
      const transaction = new VersionedTransaction(message);
      transaction.sign([keypair]);
      const [signature = new Uint8Array()] = transaction.signatures;
      return { signature: bs58.encode(signature), signedBytes: toBase64(transaction.serialize()) };
    },
  };
}
