import type {
  ParsedInstruction,
  ParsedTransactionWithMeta,
  PartiallyDecodedInstruction,
} from '@solana/web3.js';
import { SECOND_MS } from '#schema/constants.ts';
import type { Transfer } from '#schema/rules/money/payment.ts';
import type { ChainTransaction } from '../ports/chain.ts';
import { readBalanceChanges, readInstructions } from './solana-movements.ts';

/** Reads the parts of a transaction that the payment rule checks. */
export function readTransaction(signature: string, found: ParsedTransactionWithMeta): ChainTransaction {
  const { transaction, meta, slot, blockTime } = found;
  const keys = transaction.message.accountKeys;
  const instructions = readInstructions(found);
  return {
    signature,
    slot,
    blockTime: blockTime == null ? null : blockTime * SECOND_MS,
    hasFailed: meta?.err !== null,
    accounts: keys.map(({ pubkey }) => pubkey.toBase58()),
    signers: keys.filter(({ signer }) => signer).map(({ pubkey }) => pubkey.toBase58()),
    transfers: instructions.flatMap(readTransfer),
    memos: instructions.flatMap(readMemo),
    balanceChanges: readBalanceChanges(found),
    feePayer: keys[0]?.pubkey.toBase58() ?? '',
    feeLamports: BigInt(meta?.fee ?? 0),
  };
}

type Instruction = ParsedInstruction | PartiallyDecodedInstruction;

function readTransfer(instruction: Instruction): Transfer[] {
  if (!('parsed' in instruction) || instruction.program !== 'system') return [];
  const { type, info } = instruction.parsed as {
    type: string;
    info: { source: string; destination: string; lamports: number };
  };
  return type === 'transfer'
    ? [{ source: info.source, destination: info.destination, lamports: BigInt(info.lamports) }]
    : [];
}

function readMemo(instruction: Instruction): string[] {
  if (!('parsed' in instruction) || instruction.program !== 'spl-memo') return [];
  return typeof instruction.parsed === 'string' ? [instruction.parsed] : [];
}
