import {
  PublicKey,
  type ParsedInstruction,
  type ParsedTransactionWithMeta,
  type PartiallyDecodedInstruction,
  type TokenBalance,
} from '@solana/web3.js';
import { WRAPPED_SOL_MINT } from '#schema/constants/money.ts';
import { SECOND_MS } from '#schema/constants/time.ts';
import type {
  TokenTransfer,
  Movements,
  OpenedAccount,
  TokenAccountChange,
} from '#schema/rules/calls/buys.ts';
import type { Transfer } from '#schema/rules/money/payment.ts';
import type { TokenHolding, ChainTransaction } from '../ports/chain.ts';

export const TOKEN_PROGRAMS = [
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
].map((address) => new PublicKey(address));

const ASSOCIATED_TOKEN_PROGRAM = new PublicKey('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL');

export function associatedAddress(owner: PublicKey, mint: PublicKey, program: PublicKey): string {
  const seeds = [owner.toBytes(), program.toBytes(), mint.toBytes()];
  return PublicKey.findProgramAddressSync(seeds, ASSOCIATED_TOKEN_PROGRAM)[0].toBase58();
}

export function readBalanceChanges({ transaction, meta }: ParsedTransactionWithMeta): Map<string, bigint> {
  return new Map(
    transaction.message.accountKeys.map(({ pubkey }, index) => [
      pubkey.toBase58(),
      BigInt(meta?.postBalances[index] ?? 0) - BigInt(meta?.preBalances[index] ?? 0),
    ]),
  );
}

export function readInstructions({
  transaction,
  meta,
}: ParsedTransactionWithMeta): (ParsedInstruction | PartiallyDecodedInstruction)[] {
  return [
    ...transaction.message.instructions,
    ...(meta?.innerInstructions?.flatMap(({ instructions }) => instructions) ?? []),
  ];
}

export function readMovements(signature: string, found: ParsedTransactionWithMeta): Movements {
  const { meta, blockTime } = found;
  const addresses = found.transaction.message.accountKeys.map(({ pubkey }) => pubkey.toBase58());
  const heldAfter = new Map(
    addresses.map((address, index) => [address, BigInt(meta?.postBalances[index] ?? 0)]),
  );
  const tokenAccounts = readTokenAccounts({
    addresses,
    before: meta?.preTokenBalances ?? [],
    after: meta?.postTokenBalances ?? [],
  });
  return {
    signature,
    blockTime: blockTime == null ? null : blockTime * SECOND_MS,
    hasFailed: meta?.err !== null,
    feePayer: addresses[0] ?? '',
    feeLamports: BigInt(meta?.fee ?? 0),
    lamportChanges: readBalanceChanges(found),
    tokenAccounts,
    openedAccounts: readInstructions(found).flatMap((instruction) =>
      readOpenedAccount(instruction, heldAfter),
    ),
    handovers: readHandovers(found, new Map(tokenAccounts.map(({ address, mint }) => [address, mint]))),
  };
}

function readTokenAccounts({
  addresses,
  before,
  after,
}: {
  addresses: readonly string[];
  before: readonly TokenBalance[];
  after: readonly TokenBalance[];
}): TokenAccountChange[] {
  const amountIn = (list: readonly TokenBalance[], index: number) =>
    BigInt(list.find(({ accountIndex }) => accountIndex === index)?.uiTokenAmount.amount ?? 0);
  const indexes = [...new Set([...before, ...after].map(({ accountIndex }) => accountIndex))];
  return indexes.flatMap((index) => {
    const { mint, owner, uiTokenAmount } =
      [...after, ...before].find(({ accountIndex }) => accountIndex === index) ?? {};
    const address = addresses[index];
    if (mint === undefined || owner === undefined || uiTokenAmount === undefined || address === undefined) {
      return [];
    }
    return [
      {
        address,
        owner,
        mint,
        decimals: uiTokenAmount.decimals,
        before: amountIn(before, index),
        after: amountIn(after, index),
      },
    ];
  });
}

interface Parsed<Info> {
  readonly type?: string;
  readonly info: Info;
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Nodes parse known programs' instructions and accounts into these shapes.
export const parsedOf = <Info>({ parsed }: Pick<ParsedInstruction, 'parsed'>) => parsed as Parsed<Info>;

function readOpenedAccount(
  instruction: ParsedInstruction | PartiallyDecodedInstruction,
  heldAfter: ReadonlyMap<string, bigint>,
): OpenedAccount[] {
  if (!('parsed' in instruction) || instruction.program !== 'system') return [];
  const { type, info } = parsedOf<{ source: string; newAccount: string; lamports: number }>(instruction);
  if (type !== 'createAccount' && type !== 'createAccountWithSeed') return [];
  const [paid, held] = [BigInt(info.lamports), heldAfter.get(info.newAccount) ?? 0n];
  return [{ address: info.newAccount, payer: info.source, lamports: held < paid ? held : paid }];
}

function readHandovers(
  { transaction, meta }: ParsedTransactionWithMeta,
  mints: ReadonlyMap<string, string>,
): TokenTransfer[] {
  return transaction.message.instructions.flatMap((instruction, index) => {
    const within = (meta?.innerInstructions ?? [])
      .filter((inner) => inner.index === index)
      .flatMap(({ instructions }) => instructions);
    return [instruction, ...within]
      .flatMap((each) => readHandover(each, mints) ?? [])
      .map((handover) => ({ instruction: index, ...handover }));
  });
}

function readHandover(
  instruction: ParsedInstruction | PartiallyDecodedInstruction,
  mints: ReadonlyMap<string, string>,
): Omit<TokenTransfer, 'instruction'> | null {
  if (!('parsed' in instruction)) return null;
  // `parsed` is an object, except for a memo, where it is a string.
  const { type, info = {} } = parsedOf<Readonly<Record<string, string>> | undefined>(instruction);
  if (instruction.program === 'system' && type === 'transfer') {
    return {
      mint: WRAPPED_SOL_MINT,
      from: info.source ?? '',
      authority: info.source ?? '',
      to: info.destination ?? '',
    };
  }
  if (!TOKEN_PROGRAMS.some((program) => program.equals(instruction.programId))) return null;
  switch (type) {
    case 'transfer':
    case 'transferChecked':
    case 'transferCheckedWithFee': {
      const [from, to] = [info.source ?? '', info.destination ?? ''];
      return {
        mint: info.mint ?? mints.get(from) ?? mints.get(to) ?? null,
        from,
        authority: info.authority ?? info.multisigAuthority ?? '',
        to,
      };
    }
    case 'mintTo':
    case 'mintToChecked':
      return {
        mint: info.mint ?? null,
        from: null,
        authority: info.mintAuthority ?? info.multisigMintAuthority ?? '',
        to: info.account ?? '',
      };
    default:
      return null;
  }
}

export interface ParsedTokenAccount {
  readonly info: {
    readonly mint: string;
    readonly tokenAmount: { readonly amount: string; readonly decimals: number };
  };
}

export function sumHoldings(accounts: readonly ParsedTokenAccount[]): TokenHolding[] {
  const held = new Map<string, TokenHolding>();
  for (const { info } of accounts) {
    const { mint, tokenAmount } = info;
    held.set(mint, {
      mint,
      decimals: tokenAmount.decimals,
      amount: (held.get(mint)?.amount ?? 0n) + BigInt(tokenAmount.amount),
    });
  }
  return [...held.values()].filter(({ amount }) => amount > 0n);
}

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
  const { type, info } = parsedOf<{ source: string; destination: string; lamports: number }>(instruction);
  return type === 'transfer'
    ? [{ source: info.source, destination: info.destination, lamports: BigInt(info.lamports) }]
    : [];
}

function readMemo(instruction: Instruction): string[] {
  if (!('parsed' in instruction) || instruction.program !== 'spl-memo') return [];
  return typeof instruction.parsed === 'string' ? [instruction.parsed] : [];
}
