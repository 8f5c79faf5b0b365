import { createByteReader, type ByteReader } from './byte-reader.ts';

export interface ParsedInstruction {
  type: string;
  info: Record<string, unknown>;
}

export type AccountAt = (position: number) => string;

type ReadInfo = (at: AccountAt, data: ByteReader) => Record<string, unknown>;

/** Indexed by instruction number. Each property reads the next bytes of the data, so their order matters. */
const INSTRUCTIONS: readonly (readonly [type: string, readInfo: ReadInfo])[] = [
  [
    'createAccount',
    (at, { u64, key }) => ({ source: at(0), newAccount: at(1), lamports: u64(), space: u64(), owner: key() }),
  ],
  ['assign', (at, { key }) => ({ account: at(0), owner: key() })],
  ['transfer', (at, { u64 }) => ({ source: at(0), destination: at(1), lamports: u64() })],
  [
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
  ['advanceNonce', (at) => ({ nonceAccount: at(0), recentBlockhashesSysvar: at(1), nonceAuthority: at(2) })],
  [
    'withdrawFromNonce',
    (at, { u64 }) => ({
      nonceAccount: at(0),
      destination: at(1),
      recentBlockhashesSysvar: at(2),
      rentSysvar: at(3),
      nonceAuthority: at(4),
      lamports: u64(),
    }),
  ],
  [
    'initializeNonce',
    (at, { key }) => ({
      nonceAccount: at(0),
      recentBlockhashesSysvar: at(1),
      rentSysvar: at(2),
      nonceAuthority: key(),
    }),
  ],
  ['authorizeNonce', (at, { key }) => ({ nonceAccount: at(0), nonceAuthority: at(1), newAuthorized: key() })],
  ['allocate', (at, { u64 }) => ({ account: at(0), space: u64() })],
  [
    'allocateWithSeed',
    (at, { key, text, u64 }) => ({ account: at(0), base: key(), seed: text(), space: u64(), owner: key() }),
  ],
  ['assignWithSeed', (at, { key, text }) => ({ account: at(0), base: key(), seed: text(), owner: key() })],
  [
    'transferWithSeed',
    (at, { u64, text, key }) => ({
      source: at(0),
      sourceBase: at(1),
      destination: at(2),
      lamports: u64(),
      sourceSeed: text(),
      sourceOwner: key(),
    }),
  ],
  ['upgradeNonce', (at) => ({ nonceAccount: at(0) })],
];

/**
 * Parses a System Program instruction.
 * @throws {RangeError} when data or accounts are too short
 */
export function parseSystemInstruction(data: Uint8Array, at: AccountAt): ParsedInstruction | undefined {
  const reader = createByteReader(data);
  const [type, readInfo] = INSTRUCTIONS[reader.u32()] ?? [];
  return type === undefined || readInfo === undefined ? undefined : { type, info: readInfo(at, reader) };
}
