import {
  PublicKey,
  SystemProgram,
  Transaction,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
  type AddressLookupTableAccount,
  type Keypair,
} from '@solana/web3.js';
import { signVersion1 } from '#dev/stand-ins/chain/sign-version-1.ts';
import { MEMO_PROGRAM } from '#schema/constants/money.ts';
import { rpc } from './chain.ts';

export interface Signing {
  readonly instructions: readonly TransactionInstruction[];
  /** The first one pays the network fee. */
  readonly signers: readonly [Keypair, ...Keypair[]];
  readonly blockhash: string;
  readonly version?: 'legacy' | 0 | 1;
  /** Lookup tables, whose addresses the transaction's own keys leave out. */
  readonly tables?: readonly AddressLookupTableAccount[];
}

export function sign({
  instructions,
  signers,
  blockhash,
  version = 'legacy',
  tables = [],
}: Signing): Uint8Array {
  const [{ publicKey: payerKey }] = signers;
  if (version === 'legacy') {
    const transaction = new Transaction({ feePayer: payerKey, recentBlockhash: blockhash }).add(
      ...instructions,
    );
    transaction.sign(...signers);
    return new Uint8Array(transaction.serialize({ verifySignatures: false }));
  }
  if (version === 1) return signVersion1({ instructions, signers, blockhash });
  const message = new TransactionMessage({
    payerKey,
    recentBlockhash: blockhash,
    instructions: [...instructions],
  }).compileToV0Message([...tables]);
  const transaction = new VersionedTransaction(message);
  transaction.sign([...signers]);
  return transaction.serialize();
}

export async function latestBlockhash(): Promise<string> {
  return (await rpc<{ value: { blockhash: string } }>('getLatestBlockhash', { commitment: 'confirmed' }))
    .value.blockhash;
}

interface Transfer {
  readonly from: PublicKey;
  readonly to: PublicKey;
  readonly lamports: bigint | number;
}

export const transfer = ({ from, to, lamports }: Transfer) =>
  SystemProgram.transfer({ fromPubkey: from, toPubkey: to, lamports });

/** Adds a key to an instruction. The instruction's program ignores the key. */
export function naming(instruction: TransactionInstruction, key: string): TransactionInstruction {
  instruction.keys.push({ pubkey: new PublicKey(key), isSigner: false, isWritable: false });
  return instruction;
}

export const memo = (text: string) =>
  new TransactionInstruction({ programId: new PublicKey(MEMO_PROGRAM), keys: [], data: Buffer.from(text) });
