import { createByteReader } from './byte-reader.ts';

export interface ParsedInstruction {
  type: string;
  info: Record<string, unknown>;
}

/** Returns an instruction's account by position; throws a RangeError when it's missing. */
export type AccountAt = (position: number) => string;

/**
 * Parses a System Program instruction.
 * @throws {RangeError} when data or accounts are too short
 */
export function parseSystemInstruction(data: Uint8Array, at: AccountAt): ParsedInstruction | undefined {
  const reader = createByteReader(data);
  const { key, u64, text } = reader;
  switch (reader.u32()) {
    case 0:
      return {
        type: 'createAccount',
        info: { source: at(0), newAccount: at(1), lamports: u64(), space: u64(), owner: key() },
      };
    case 1:
      return { type: 'assign', info: { account: at(0), owner: key() } };
    case 2:
      return { type: 'transfer', info: { source: at(0), destination: at(1), lamports: u64() } };
    case 3:
      return {
        type: 'createAccountWithSeed',
        info: {
          source: at(0),
          newAccount: at(1),
          base: key(),
          seed: text(),
          lamports: u64(),
          space: u64(),
          owner: key(),
        },
      };
    case 4:
      return {
        type: 'advanceNonce',
        info: { nonceAccount: at(0), recentBlockhashesSysvar: at(1), nonceAuthority: at(2) },
      };
    case 5:
      return {
        type: 'withdrawFromNonce',
        info: {
          nonceAccount: at(0),
          destination: at(1),
          recentBlockhashesSysvar: at(2),
          rentSysvar: at(3),
          nonceAuthority: at(4),
          lamports: u64(),
        },
      };
    case 6:
      return {
        type: 'initializeNonce',
        info: {
          nonceAccount: at(0),
          recentBlockhashesSysvar: at(1),
          rentSysvar: at(2),
          nonceAuthority: key(),
        },
      };
    case 7:
      return {
        type: 'authorizeNonce',
        info: { nonceAccount: at(0), nonceAuthority: at(1), newAuthorized: key() },
      };
    case 8:
      return { type: 'allocate', info: { account: at(0), space: u64() } };
    case 9:
      return {
        type: 'allocateWithSeed',
        info: { account: at(0), base: key(), seed: text(), space: u64(), owner: key() },
      };
    case 10:
      return {
        type: 'assignWithSeed',
        info: { account: at(0), base: key(), seed: text(), owner: key() },
      };
    case 11:
      return {
        type: 'transferWithSeed',
        info: {
          source: at(0),
          sourceBase: at(1),
          destination: at(2),
          lamports: u64(),
          sourceSeed: text(),
          sourceOwner: key(),
        },
      };
    case 12:
      return { type: 'upgradeNonce', info: { nonceAccount: at(0) } };
    default:
      return undefined;
  }
}
