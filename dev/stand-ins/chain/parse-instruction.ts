import type { MessageCompiledInstruction } from '@solana/web3.js';
import bs58 from 'bs58';
import { createByteReader, type ByteReader } from './byte-reader.ts';
import { ASSOCIATED_TOKEN_PROGRAM, isMemoProgram, isTokenProgram, SYSTEM_PROGRAM } from './programs.ts';
import { toUiTokenAmount } from './token-account.ts';

type Info = Record<string, unknown>;
/** @param signer the authority at a position; with its signers if it's a multisig */
type ReadInfo = (
  at: (position: number) => string,
  data: ByteReader,
  signer: (position: number, role: string) => Info,
) => Info;

/** A program's instructions by number. Each property reads the next bytes of the data, so their order matters. */
type Instructions = Readonly<Record<number, readonly [type: string, readInfo: ReadInfo]>>;

const SYSTEM_INSTRUCTIONS: Instructions = {
  0: [
    'createAccount',
    (at, { u64, key }) => ({ source: at(0), newAccount: at(1), lamports: u64(), space: u64(), owner: key() }),
  ],
  1: ['assign', (at, { key }) => ({ account: at(0), owner: key() })],
  2: ['transfer', (at, { u64 }) => ({ source: at(0), destination: at(1), lamports: u64() })],
  3: [
    'createAccountWithSeed',
    (at, { key, text, u64 }) => ({
      source: at(0),
      newAccount: at(1),
      base: key(),
      seed: text(),
      lamports: u64(),
      space: u64(),
      owner: key(),
    }),
  ],
  8: ['allocate', (at, { u64 }) => ({ account: at(0), space: u64() })],
};

/** Names the accounts of an instruction in their order. */
const accounts =
  (...names: readonly string[]): ReadInfo =>
  (at) =>
    Object.fromEntries(names.map((name, position) => [name, at(position)]));
const amount: ReadInfo = (_, { u64 }) => ({ amount: String(u64()) });
const tokenAmount: ReadInfo = (_, { u64, u8 }) => ({ tokenAmount: toUiTokenAmount(u64(), u8()) });
const signerAt =
  (position: number, role: string): ReadInfo =>
  (_at, _data, signer) =>
    signer(position, role);
const allOf =
  (...parts: readonly ReadInfo[]): ReadInfo =>
  (...given) =>
    Object.assign({}, ...parts.map((read) => read(...given))) as Info;

/** Instructions of SPL Token that Token-2022 also has. */
const TOKEN_INSTRUCTIONS: Instructions = {
  3: ['transfer', allOf(accounts('source', 'destination'), amount, signerAt(2, 'authority'))],
  7: ['mintTo', allOf(accounts('mint', 'account'), amount, signerAt(2, 'mintAuthority'))],
  9: ['closeAccount', allOf(accounts('account', 'destination'), signerAt(2, 'owner'))],
  12: [
    'transferChecked',
    allOf(accounts('source', 'mint', 'destination'), tokenAmount, signerAt(3, 'authority')),
  ],
  14: ['mintToChecked', allOf(accounts('mint', 'account'), tokenAmount, signerAt(2, 'mintAuthority'))],
  17: ['syncNative', accounts('account')],
  18: ['initializeAccount3', (at, { key }) => ({ account: at(0), mint: at(1), owner: key() })],
  20: [
    'initializeMint2',
    (at, { u8, key }) => ({
      mint: at(0),
      decimals: u8(),
      mintAuthority: key(),
      ...(u8() === 1 ? { freezeAuthority: key() } : {}),
    }),
  ],
  22: ['initializeImmutableOwner', accounts('account')],
};

const readAssociatedAccount = accounts(
  'source',
  'account',
  'wallet',
  'mint',
  'systemProgram',
  'tokenProgram',
);
const ASSOCIATED_TOKEN_INSTRUCTIONS: Instructions = {
  0: ['create', readAssociatedAccount],
  1: ['createIdempotent', readAssociatedAccount],
};

function parse(program: string, keys: readonly string[], data: Uint8Array) {
  const reader = createByteReader(data);
  const at = (position: number) => {
    const account = keys[position];
    if (account === undefined) throw new RangeError('too few accounts');
    return account;
  };
  const signer = (position: number, role: string): Info => {
    const signers = keys.slice(position + 1);
    if (signers.length === 0) return { [role]: at(position) };
    return { [`multisig${role.charAt(0).toUpperCase()}${role.slice(1)}`]: at(position), signers };
  };
  const named = (name: string, [type, readInfo]: Instructions[number] | readonly [] = []) =>
    readInfo && { program: name, parsed: { type, info: readInfo(at, reader, signer) } };
  if (program === SYSTEM_PROGRAM) return named('system', SYSTEM_INSTRUCTIONS[reader.u32()]);
  // RPC nodes report the program of a Token-2022 instruction as 'spl-token', and the program of a Token-2022
  // account as 'spl-token-2022'.
  if (isTokenProgram(program)) return named('spl-token', TOKEN_INSTRUCTIONS[reader.u8()]);
  if (program === ASSOCIATED_TOKEN_PROGRAM) {
    // Empty data is the legacy form of `create`.
    return named('spl-associated-token-account', ASSOCIATED_TOKEN_INSTRUCTIONS[data[0] ?? 0]);
  }
  return isMemoProgram(program)
    ? { program: 'spl-memo', parsed: new TextDecoder('utf-8', { fatal: true }).decode(data) }
    : undefined;
}

export function encodeInstruction(instruction: MessageCompiledInstruction, stackHeight: number): unknown {
  return {
    accounts: instruction.accountKeyIndexes,
    data: bs58.encode(instruction.data),
    programIdIndex: instruction.programIdIndex,
    stackHeight,
  };
}

/** Encodes an instruction in `jsonParsed` form. Other instructions are only partially decoded. */
export function encodeParsedInstruction(
  { programIdIndex, accountKeyIndexes, data }: MessageCompiledInstruction,
  keys: readonly string[],
  stackHeight: number,
): unknown {
  const programId = keys[programIdIndex] ?? '';
  const named = accountKeyIndexes.map((index) => keys[index] ?? '');
  try {
    const known = parse(programId, named, data);
    if (known !== undefined) return { ...known, programId, stackHeight };
  } catch (error) {
    // The runtime accepts data that is too short (RangeError here) and memos that aren't UTF-8 (TypeError
    // here).
    if (!(error instanceof RangeError || error instanceof TypeError)) throw error;
  }
  return { accounts: named, data: bs58.encode(data), programId, stackHeight };
}

/** Formats memos as `getSignaturesForAddress` shows them: `[bytes] text; [bytes] text`. */
export function describeMemos(
  instructions: readonly MessageCompiledInstruction[],
  keys: readonly string[],
): string | null {
  const memos = instructions
    .filter(({ programIdIndex }) => isMemoProgram(keys[programIdIndex] ?? ''))
    .map(({ data }) => `[${data.length}] ${Buffer.from(data).toString('utf8')}`);
  return memos.length === 0 ? null : memos.join('; ');
}
