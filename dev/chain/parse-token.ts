import { createByteReader } from './byte-reader.ts';
import type { AccountAt, ParsedInstruction } from './parse-system.ts';
import { toUiTokenAmount } from './token-account.ts';

const AUTHORITY_TYPES = ['mintTokens', 'freezeAccount', 'accountOwner', 'closeAccount'];

type Info = Record<string, unknown>;

type TokenInstruction = ReturnType<typeof readTokenInstruction>;

function readTokenInstruction(data: Uint8Array, at: AccountAt, accountCount: number) {
  const { key, u8, u64 } = createByteReader(data);
  const authority = (position: number, role: string): Info => {
    const signerCount = accountCount - position - 1;
    if (signerCount <= 0) return { [role]: at(position) };
    return {
      [`multisig${role.charAt(0).toUpperCase()}${role.slice(1)}`]: at(position),
      signers: Array.from({ length: signerCount }, (_, index) => at(position + 1 + index)),
    };
  };
  return {
    at,
    key,
    u8,
    amount: () => u64().toString(),
    checkedAmount: () => toUiTokenAmount(u64(), u8()),
    optionalKey: (name: string) => (u8() === 1 ? { [name]: key() } : {}),
    owner: (position: number) => authority(position, 'owner'),
    signer: (position: number) => authority(position, 'authority'),
    mintSigner: (position: number) => authority(position, 'mintAuthority'),
    freezeSigner: (position: number) => authority(position, 'freezeAuthority'),
  };
}

function readSetAuthority({ at, u8, key, signer }: TokenInstruction): Info | undefined {
  const authorityType = AUTHORITY_TYPES[u8()];
  if (authorityType === undefined) return undefined;
  const subject = ['mintTokens', 'freezeAccount'].includes(authorityType) ? 'mint' : 'account';
  const newAuthority = u8() === 1 ? key() : null;
  return { [subject]: at(0), authorityType, newAuthority, ...signer(1) };
}

type ReadInfo = (instruction: TokenInstruction) => Info | undefined;

/** Keyed by instruction number. Each property reads the next bytes of the data, so their order matters. */
const INSTRUCTIONS: Readonly<Record<number, readonly [type: string, readInfo: ReadInfo]>> = {
  0: [
    'initializeMint',
    ({ at, u8, key, optionalKey }) => ({
      mint: at(0),
      decimals: u8(),
      mintAuthority: key(),
      rentSysvar: at(1),
      ...optionalKey('freezeAuthority'),
    }),
  ],
  1: ['initializeAccount', ({ at }) => ({ account: at(0), mint: at(1), owner: at(2), rentSysvar: at(3) })],
  3: [
    'transfer',
    ({ at, amount, signer }) => ({ source: at(0), destination: at(1), amount: amount(), ...signer(2) }),
  ],
  4: [
    'approve',
    ({ at, amount, owner }) => ({ source: at(0), delegate: at(1), amount: amount(), ...owner(2) }),
  ],
  5: ['revoke', ({ at, owner }) => ({ source: at(0), ...owner(1) })],
  6: ['setAuthority', readSetAuthority],
  7: [
    'mintTo',
    ({ at, amount, mintSigner }) => ({ mint: at(0), account: at(1), amount: amount(), ...mintSigner(2) }),
  ],
  8: ['burn', ({ at, amount, signer }) => ({ account: at(0), mint: at(1), amount: amount(), ...signer(2) })],
  9: ['closeAccount', ({ at, owner }) => ({ account: at(0), destination: at(1), ...owner(2) })],
  10: ['freezeAccount', ({ at, freezeSigner }) => ({ account: at(0), mint: at(1), ...freezeSigner(2) })],
  11: ['thawAccount', ({ at, freezeSigner }) => ({ account: at(0), mint: at(1), ...freezeSigner(2) })],
  12: [
    'transferChecked',
    ({ at, checkedAmount, signer }) => ({
      source: at(0),
      mint: at(1),
      destination: at(2),
      tokenAmount: checkedAmount(),
      ...signer(3),
    }),
  ],
  13: [
    'approveChecked',
    ({ at, checkedAmount, owner }) => ({
      source: at(0),
      mint: at(1),
      delegate: at(2),
      tokenAmount: checkedAmount(),
      ...owner(3),
    }),
  ],
  14: [
    'mintToChecked',
    ({ at, checkedAmount, mintSigner }) => ({
      mint: at(0),
      account: at(1),
      tokenAmount: checkedAmount(),
      ...mintSigner(2),
    }),
  ],
  15: [
    'burnChecked',
    ({ at, checkedAmount, signer }) => ({
      account: at(0),
      mint: at(1),
      tokenAmount: checkedAmount(),
      ...signer(2),
    }),
  ],
  16: [
    'initializeAccount2',
    ({ at, key }) => ({ account: at(0), mint: at(1), owner: key(), rentSysvar: at(2) }),
  ],
  17: ['syncNative', ({ at }) => ({ account: at(0) })],
  18: ['initializeAccount3', ({ at, key }) => ({ account: at(0), mint: at(1), owner: key() })],
  20: [
    'initializeMint2',
    ({ at, u8, key, optionalKey }) => ({
      mint: at(0),
      decimals: u8(),
      mintAuthority: key(),
      ...optionalKey('freezeAuthority'),
    }),
  ],
  22: ['initializeImmutableOwner', ({ at }) => ({ account: at(0) })],
};

/**
 * Parses an SPL Token instruction. Also parses the Token-2022 instructions that exist in SPL Token.
 * @param accountCount shows whether the authority is a multisig, because the signers of a multisig follow it
 * @throws {RangeError} when data or accounts are too short
 */
export function parseTokenInstruction(
  data: Uint8Array,
  at: AccountAt,
  accountCount: number,
): ParsedInstruction | undefined {
  const instruction = readTokenInstruction(data, at, accountCount);
  const [type, readInfo] = INSTRUCTIONS[instruction.u8()] ?? [];
  const info = readInfo?.(instruction);
  return type === undefined || info === undefined ? undefined : { type, info };
}

/** Parses an Associated Token Account instruction. Empty data is the legacy form of `create`. */
export function parseAssociatedTokenInstruction(
  data: Uint8Array,
  at: AccountAt,
): ParsedInstruction | undefined {
  const type = ['create', 'createIdempotent'][data[0] ?? 0];
  if (type === undefined) return undefined;
  return {
    type,
    info: {
      source: at(0),
      account: at(1),
      wallet: at(2),
      mint: at(3),
      systemProgram: at(4),
      tokenProgram: at(5),
    },
  };
}
