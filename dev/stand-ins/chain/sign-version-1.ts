import { ed25519 } from '@noble/curves/ed25519';
import {
  TransactionMessage,
  VERSION_1_MESSAGE_PREFIX,
  type Keypair,
  type MessageV0,
  type TransactionInstruction,
} from '@solana/web3.js';
import bs58 from 'bs58';

/** Bits 0 and 1: the priority fee. 2: compute units. 3: bytes of loaded accounts. */
const CONFIG_MASK = 0b1111;
const SIGNATURE_BYTES = 64;
const LOADED_ACCOUNTS_BYTES = 64 * 1024 * 1024;

interface Version1 {
  instructions: readonly TransactionInstruction[];
  /** The first one pays the network fee. */
  signers: readonly [Keypair, ...Keypair[]];
  blockhash: string;
  /** In lamports, for the whole transaction. */
  priorityFee?: bigint;
  computeUnitLimit?: number;
}

/**
 * Makes a transaction of version 1 (SIMD-0385), which web3.js reads but doesn't make. A signature stays empty if its
 * signer isn't given.
 */
export function signVersion1({ instructions, signers, blockhash, ...config }: Version1): Uint8Array {
  const [{ publicKey: payerKey }] = signers;
  const compiled = new TransactionMessage({
    payerKey,
    recentBlockhash: blockhash,
    instructions: [...instructions],
  }).compileToV0Message();
  const message = encodeMessage(compiled, config);
  const signatures = compiled.staticAccountKeys
    .slice(0, compiled.header.numRequiredSignatures)
    .map((key) => signers.find(({ publicKey }) => publicKey.equals(key)))
    .map((signer) => signer && ed25519.sign(message, signer.secretKey.slice(0, 32)));
  return Uint8Array.from([
    ...message,
    ...signatures.flatMap((signature) => [...(signature ?? new Uint8Array(SIGNATURE_BYTES))]),
  ]);
}

function encodeMessage(
  { header, staticAccountKeys, compiledInstructions, recentBlockhash }: MessageV0,
  { priorityFee = 0n, computeUnitLimit = 200_000 }: Pick<Version1, 'priorityFee' | 'computeUnitLimit'>,
): Uint8Array {
  return Uint8Array.from([
    VERSION_1_MESSAGE_PREFIX,
    header.numRequiredSignatures,
    header.numReadonlySignedAccounts,
    header.numReadonlyUnsignedAccounts,
    ...littleEndian(CONFIG_MASK, 4),
    ...bs58.decode(recentBlockhash),
    compiledInstructions.length,
    staticAccountKeys.length,
    ...staticAccountKeys.flatMap((key) => [...key.toBytes()]),
    ...littleEndian(priorityFee, 8),
    ...littleEndian(computeUnitLimit, 4),
    ...littleEndian(LOADED_ACCOUNTS_BYTES, 4),
    ...compiledInstructions.flatMap(({ programIdIndex, accountKeyIndexes, data }) => [
      programIdIndex,
      accountKeyIndexes.length,
      ...littleEndian(data.length, 2),
    ]),
    ...compiledInstructions.flatMap(({ accountKeyIndexes, data }) => [...accountKeyIndexes, ...data]),
  ]);
}

const littleEndian = (value: number | bigint, bytes: number): number[] =>
  Array.from({ length: bytes }, (_, index) => Number((BigInt(value) >> BigInt(8 * index)) & 0xffn));
