import type { PublicKey } from '@solana/web3.js';
import { createByteReader } from './byte-reader.ts';
import type { ByteReader } from './byte-reader.ts';
import { isTokenProgram } from './programs.ts';
import type { AccountState } from './vm.ts';

const TOKEN_ACCOUNT_BYTES = 165;
const MINT_BYTES = 82;
// Token-2022 appends extensions to the base account. The byte at this offset is before the extensions and holds
// the account type.
const ACCOUNT_TYPE_OFFSET = 165;
const ACCOUNT_TYPE_MINT = 1;
const ACCOUNT_TYPE_ACCOUNT = 2;

export interface TokenAccount {
  mint: string;
  owner: string;
  amount: bigint;
  delegate: string | undefined;
  state: 'uninitialized' | 'initialized' | 'frozen';
  /** The lamports of a wrapped SOL account. Undefined for other accounts. */
  nativeReserve: bigint | undefined;
  delegatedAmount: bigint;
  closeAuthority: string | undefined;
}

export interface Mint {
  mintAuthority: string | undefined;
  supply: bigint;
  decimals: number;
  isInitialized: boolean;
  freezeAuthority: string | undefined;
}

export interface UiTokenAmount {
  amount: string;
  decimals: number;
  uiAmount: number | null;
  uiAmountString: string;
}

/** @param amount in the mint's smallest unit */
export function toUiTokenAmount(amount: bigint, decimals: number): UiTokenAmount {
  const digits = amount.toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  const uiAmountString = fraction === '' ? whole : `${whole}.${fraction}`;
  return { amount: amount.toString(), decimals, uiAmount: Number(uiAmountString), uiAmountString };
}

function readOptional<T>(reader: ByteReader, read: () => T): T | undefined {
  const isSet = reader.u32() === 1;
  const value = read();
  return isSet ? value : undefined;
}

export function readTokenAccount(account: AccountState | undefined): TokenAccount | undefined {
  if (account === undefined || !isTokenProgram(account.owner)) return undefined;
  const { data } = account;
  const isAccount =
    data.length === TOKEN_ACCOUNT_BYTES ||
    (data.length > TOKEN_ACCOUNT_BYTES && data[ACCOUNT_TYPE_OFFSET] === ACCOUNT_TYPE_ACCOUNT);
  if (!isAccount) return undefined;
  const reader = createByteReader(data);
  const mint = reader.key();
  const owner = reader.key();
  const amount = reader.u64();
  const delegate = readOptional(reader, reader.key);
  const state = (['uninitialized', 'initialized', 'frozen'] as const)[reader.u8()];
  const nativeReserve = readOptional(reader, reader.u64);
  const delegatedAmount = reader.u64();
  const closeAuthority = readOptional(reader, reader.key);
  if (state === undefined || state === 'uninitialized') return undefined;
  return { mint, owner, amount, delegate, state, nativeReserve, delegatedAmount, closeAuthority };
}

export function readMint(account: AccountState | undefined): Mint | undefined {
  if (account === undefined || !isTokenProgram(account.owner)) return undefined;
  const { data } = account;
  const isMint =
    data.length === MINT_BYTES ||
    (data.length > ACCOUNT_TYPE_OFFSET && data[ACCOUNT_TYPE_OFFSET] === ACCOUNT_TYPE_MINT);
  if (!isMint) return undefined;
  const reader = createByteReader(data);
  const mintAuthority = readOptional(reader, reader.key);
  const supply = reader.u64();
  const decimals = reader.u8();
  const isInitialized = reader.u8() === 1;
  const freezeAuthority = readOptional(reader, reader.key);
  return { mintAuthority, supply, decimals, isInitialized, freezeAuthority };
}

/** The ScaledUiAmount extension of a Token-2022 mint. */
export interface MintScale {
  multiplier: number;
  newMultiplier: number;
  /** Unix ms. */
  newMultiplierAt: number;
}

const SCALED_UI_AMOUNT = 25;

/** Each extension has a type and a length (u16), then its data. */
export function readScale(account: AccountState | undefined): MintScale | undefined {
  if (account === undefined || readMint(account) === undefined) return undefined;
  const { data } = account;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  let offset = ACCOUNT_TYPE_OFFSET + 1;
  while (offset + 4 <= data.length) {
    const start = offset + 4;
    if (view.getUint16(offset, true) === SCALED_UI_AMOUNT) {
      return {
        multiplier: view.getFloat64(start + 32, true),
        newMultiplierAt: Number(view.getBigInt64(start + 40, true)) * 1_000,
        newMultiplier: view.getFloat64(start + 48, true),
      };
    }
    offset = start + view.getUint16(offset + 2, true);
  }
  return undefined;
}

/** The data of a new mint with zero supply and no freeze authority. */
export function encodeMint(mintAuthority: PublicKey, decimals: number): Uint8Array {
  const data = new Uint8Array(MINT_BYTES);
  // Layout: 1 and the mint authority, supply (u64), decimals (u8), 1 for initialized.
  data[0] = 1;
  data.set(mintAuthority.toBytes(), 4);
  data[44] = decimals;
  data[45] = 1;
  return data;
}
