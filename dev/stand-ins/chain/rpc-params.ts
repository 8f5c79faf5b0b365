import bs58 from 'bs58';
import type { Chain } from './chain.ts';
import { createInvalidParamsError, RpcError } from './rpc-error.ts';
import type { Commitment } from './slot-clock.ts';

export type Params = readonly unknown[];
export type Config = Readonly<Record<string, unknown>>;

const COMMITMENTS: readonly Commitment[] = ['processed', 'confirmed', 'finalized'];
const PUBKEY_BYTES = 32;
const SIGNATURE_BYTES = 64;

function describeValue(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'string') return `string ${JSON.stringify(value)}`;
  if (typeof value === 'boolean') return `boolean \`${value}\``;
  if (typeof value === 'number') {
    return Number.isInteger(value) ? `integer \`${value}\`` : `floating point \`${value}\``;
  }
  return Array.isArray(value) ? 'sequence' : 'map';
}

function createTypeError(value: unknown, expected: string): RpcError {
  return createInvalidParamsError(
    `Invalid params: invalid type: ${describeValue(value)}, expected ${expected}.`,
  );
}

/** @throws {RpcError} -32602 when there are fewer arguments */
export function requireParams(params: Params, count: number): void {
  if (params.length < count) {
    throw createInvalidParamsError(`\`params\` should have at least ${count} argument(s)`);
  }
}

export function readString(value: unknown): string {
  if (typeof value !== 'string') throw createTypeError(value, 'a string');
  return value;
}

/** A whole number from 0 to 2^53. @throws {RpcError} -32602 */
export function readUnsigned(value: unknown): number {
  if (typeof value === 'number' && Number.isInteger(value) && value < 0) {
    throw createInvalidParamsError(`Invalid params: invalid value: integer \`${value}\`, expected u64.`);
  }
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw createTypeError(value, 'u64');
  return value;
}

export function readList(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw createTypeError(value, 'a sequence');
  return value as unknown[];
}

export function readBoolean(config: Config, name: string): boolean {
  const value = config[name] ?? false;
  if (typeof value !== 'boolean') throw createTypeError(value, 'a boolean');
  return value;
}

export function readChoice<T extends string>(value: unknown, choices: readonly T[], fallback: T): T {
  if (value === null || value === undefined) return fallback;
  const text = readString(value);
  const choice = choices.find((each) => each === text);
  if (choice !== undefined) return choice;
  const list = choices.map((each) => `\`${each}\``).join(', ');
  throw createInvalidParamsError(`Invalid params: unknown variant \`${text}\`, expected one of ${list}.`);
}

export function readConfig(value: unknown): Config {
  if (value === null || value === undefined) return {};
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw createTypeError(value, 'a configuration object');
  }
  return value as Config;
}

function readBase58(value: unknown, byteLength: number): string {
  const text = readString(value);
  // Check the length first, because decoding base58 takes quadratic time.
  if (text.length > 2 * byteLength) throw createInvalidParamsError('Invalid param: WrongSize');
  let length: number;
  try {
    length = bs58.decode(text).length;
  } catch {
    throw createInvalidParamsError('Invalid param: Invalid');
  }
  if (length !== byteLength) throw createInvalidParamsError('Invalid param: WrongSize');
  return text;
}

/** Reads 32 bytes in base58, which are an address or a blockhash. */
export function readPubkey(value: unknown): string {
  return readBase58(value, PUBKEY_BYTES);
}

export function readSignature(value: unknown): string {
  return readBase58(value, SIGNATURE_BYTES);
}

/**
 * Reads the requested commitment. The default is finalized, as on a cluster.
 * @throws {RpcError} -32602 for an unknown commitment, -32016 when `minContextSlot` isn't reached
 */
export function readCommitment(chain: Chain, config: Config): Commitment {
  const commitment = readChoice(config['commitment'], COMMITMENTS, 'finalized');
  if (config['minContextSlot'] !== undefined && config['minContextSlot'] !== null) {
    const contextSlot = chain.clock.slot(commitment);
    if (contextSlot < readUnsigned(config['minContextSlot'])) {
      throw new RpcError(-32016, 'Minimum context slot has not been reached', { contextSlot });
    }
  }
  return commitment;
}

/** Like `readCommitment`, for methods that read blocks. @throws {RpcError} -32602 for processed */
export function readBlockCommitment(chain: Chain, config: Config): Commitment {
  const commitment = readCommitment(chain, config);
  if (commitment === 'processed') {
    throw createInvalidParamsError('Method does not support commitment below `confirmed`');
  }
  return commitment;
}

/** Decodes base64 or base58 text. @throws {RpcError} -32602 */
export function readBytes(value: unknown, encoding: 'base58' | 'base64'): Uint8Array {
  const text = readString(value);
  if (encoding === 'base64') {
    const bytes = Buffer.from(text, 'base64');
    // Buffer ignores invalid characters in base64, but a cluster refuses them.
    if (bytes.toString('base64') !== text) {
      throw createInvalidParamsError('invalid base64 encoding: InvalidByte');
    }
    return bytes;
  }
  try {
    return bs58.decode(text);
  } catch {
    throw createInvalidParamsError('invalid base58 encoding: InvalidCharacter');
  }
}
