import { createByteReader } from './byte-reader.ts';
import type { AccountAt, ParsedInstruction } from './parse-system.ts';
import { toUiTokenAmount } from './token-account.ts';

const AUTHORITY_TYPES = ['mintTokens', 'freezeAccount', 'accountOwner', 'closeAccount'];

/**
 * Parses an instruction of SPL Token, or of the part that Token-2022 shares with it.
 * @param accountCount tells a single authority from a multisig's signers
 * @throws {RangeError} when data or accounts are too short
 */
export function parseTokenInstruction(
  data: Uint8Array,
  at: AccountAt,
  accountCount: number,
): ParsedInstruction | undefined {
  const reader = createByteReader(data);
  const { key, u8 } = reader;
  const amount = () => reader.u64().toString();
  const checkedAmount = () => {
    const value = reader.u64();
    return toUiTokenAmount(value, u8());
  };
  const optionalKey = (name: string) => (u8() === 1 ? { [name]: key() } : {});
  const authority = (position: number, single: string, multisig: string) =>
    accountCount <= position + 1
      ? { [single]: at(position) }
      : {
          [multisig]: at(position),
          signers: Array.from({ length: accountCount - position - 1 }, (_, index) =>
            at(position + 1 + index),
          ),
        };
  const owner = (position: number) => authority(position, 'owner', 'multisigOwner');
  const signer = (position: number) => authority(position, 'authority', 'multisigAuthority');
  const mintSigner = (position: number) => authority(position, 'mintAuthority', 'multisigMintAuthority');
  const freezeSigner = (position: number) =>
    authority(position, 'freezeAuthority', 'multisigFreezeAuthority');

  switch (u8()) {
    case 0:
      return {
        type: 'initializeMint',
        info: {
          mint: at(0),
          decimals: u8(),
          mintAuthority: key(),
          rentSysvar: at(1),
          ...optionalKey('freezeAuthority'),
        },
      };
    case 1:
      return {
        type: 'initializeAccount',
        info: { account: at(0), mint: at(1), owner: at(2), rentSysvar: at(3) },
      };
    case 3:
      return {
        type: 'transfer',
        info: { source: at(0), destination: at(1), amount: amount(), ...signer(2) },
      };
    case 4:
      return { type: 'approve', info: { source: at(0), delegate: at(1), amount: amount(), ...owner(2) } };
    case 5:
      return { type: 'revoke', info: { source: at(0), ...owner(1) } };
    case 6: {
      const authorityType = AUTHORITY_TYPES[u8()];
      if (authorityType === undefined) return undefined;
      const subject = ['mintTokens', 'freezeAccount'].includes(authorityType) ? 'mint' : 'account';
      const newAuthority = u8() === 1 ? key() : null;
      return { type: 'setAuthority', info: { [subject]: at(0), authorityType, newAuthority, ...signer(1) } };
    }
    case 7:
      return { type: 'mintTo', info: { mint: at(0), account: at(1), amount: amount(), ...mintSigner(2) } };
    case 8:
      return { type: 'burn', info: { account: at(0), mint: at(1), amount: amount(), ...signer(2) } };
    case 9:
      return { type: 'closeAccount', info: { account: at(0), destination: at(1), ...owner(2) } };
    case 10:
      return { type: 'freezeAccount', info: { account: at(0), mint: at(1), ...freezeSigner(2) } };
    case 11:
      return { type: 'thawAccount', info: { account: at(0), mint: at(1), ...freezeSigner(2) } };
    case 12:
      return {
        type: 'transferChecked',
        info: { source: at(0), mint: at(1), destination: at(2), tokenAmount: checkedAmount(), ...signer(3) },
      };
    case 13:
      return {
        type: 'approveChecked',
        info: { source: at(0), mint: at(1), delegate: at(2), tokenAmount: checkedAmount(), ...owner(3) },
      };
    case 14:
      return {
        type: 'mintToChecked',
        info: { mint: at(0), account: at(1), tokenAmount: checkedAmount(), ...mintSigner(2) },
      };
    case 15:
      return {
        type: 'burnChecked',
        info: { account: at(0), mint: at(1), tokenAmount: checkedAmount(), ...signer(2) },
      };
    case 16:
      return {
        type: 'initializeAccount2',
        info: { account: at(0), mint: at(1), owner: key(), rentSysvar: at(2) },
      };
    case 17:
      return { type: 'syncNative', info: { account: at(0) } };
    case 18:
      return { type: 'initializeAccount3', info: { account: at(0), mint: at(1), owner: key() } };
    case 20:
      return {
        type: 'initializeMint2',
        info: { mint: at(0), decimals: u8(), mintAuthority: key(), ...optionalKey('freezeAuthority') },
      };
    case 22:
      return { type: 'initializeImmutableOwner', info: { account: at(0) } };
    default:
      return undefined;
  }
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
