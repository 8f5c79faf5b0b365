import bs58 from 'bs58';

/** A cluster sends each transaction in one network packet of at most this size. */
export const MAX_TRANSACTION_BYTES = 1232;

const SIGNATURE_BYTES = 64;
const KEY_BYTES = 32;
const MAX_ACCOUNT_KEYS = 256;

export interface WireInstruction {
  programIndex: number;
  /**
   * Indexes into all keys: first the static ones, then the loaded writable ones, then the loaded read-only
   * ones.
   */
  accounts: number[];
  data: Uint8Array;
}

export interface WireLookup {
  /** The lookup table's address, base58. */
  table: string;
  writable: number[];
  readonly: number[];
}

export interface WireMessage {
  version: 'legacy' | 0;
  requiredSignatures: number;
  readonlySigned: number;
  readonlyUnsigned: number;
  /** Base58, in wire order. */
  staticKeys: string[];
  recentBlockhash: string;
  instructions: WireInstruction[];
  lookups: WireLookup[];
}

export interface WireTransaction {
  /** Base58. The first signature identifies the transaction. */
  signatures: string[];
  message: WireMessage;
  raw: Uint8Array;
}

/** Thrown for bytes that aren't a valid transaction. Its message has the reason. */
export class WireError extends Error {
  readonly kind: 'malformed' | 'unsanitary';
  constructor(kind: WireError['kind'], message: string) {
    super(message);
    this.name = 'WireError';
    this.kind = kind;
  }
}

class Reader {
  offset = 0;
  readonly bytes: Uint8Array;
  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  byte(): number {
    const value = this.bytes[this.offset];
    if (value === undefined) throw new WireError('malformed', 'io error: unexpected end of file');
    this.offset += 1;
    return value;
  }

  take(length: number): Uint8Array {
    const end = this.offset + length;
    if (end > this.bytes.length) throw new WireError('malformed', 'io error: unexpected end of file');
    const part = this.bytes.subarray(this.offset, end);
    this.offset = end;
    return part;
  }

  key(): string {
    return bs58.encode(this.take(KEY_BYTES));
  }

  /** Reads a compact-u16. Refuses non-minimal encodings, as a cluster does. */
  length(): number {
    let value = 0;
    for (let index = 0; index < 3; index += 1) {
      const byte = this.byte();
      if (index > 0 && byte === 0) break;
      if (index === 2 && byte > 0b11) break;
      value |= (byte & 0x7f) << (index * 7);
      if ((byte & 0x80) === 0) return value;
    }
    throw new WireError('malformed', 'invalid length encoding');
  }

  list<T>(read: () => T): T[] {
    return Array.from({ length: this.length() }, read);
  }
}

function readInstruction(reader: Reader): WireInstruction {
  const programIndex = reader.byte();
  const accounts = [...reader.take(reader.length())];
  const data = Uint8Array.from(reader.take(reader.length()));
  return { programIndex, accounts, data };
}

function readLookup(reader: Reader): WireLookup {
  return {
    table: reader.key(),
    writable: [...reader.take(reader.length())],
    readonly: [...reader.take(reader.length())],
  };
}

function readMessage(reader: Reader): WireMessage {
  const first = reader.byte();
  const isVersioned = (first & 0x80) !== 0;
  if (isVersioned && first !== 0x80) {
    throw new WireError(
      'malformed',
      `invalid value: integer \`${first & 0x7f}\`, expected a supported message version`,
    );
  }
  const message: WireMessage = {
    version: isVersioned ? 0 : 'legacy',
    requiredSignatures: isVersioned ? reader.byte() : first,
    readonlySigned: reader.byte(),
    readonlyUnsigned: reader.byte(),
    staticKeys: reader.list(() => reader.key()),
    recentBlockhash: reader.key(),
    instructions: reader.list(() => readInstruction(reader)),
    lookups: [],
  };
  if (isVersioned) message.lookups = reader.list(() => readLookup(reader));
  return message;
}

function sanitize(message: WireMessage): void {
  const fail = (): never => {
    throw new WireError('unsanitary', 'Transaction failed to sanitize accounts offsets correctly');
  };
  const { staticKeys, lookups } = message;
  if (message.requiredSignatures + message.readonlyUnsigned > staticKeys.length) fail();
  if (message.readonlySigned >= message.requiredSignatures) fail();
  let keyCount = staticKeys.length;
  for (const lookup of lookups) {
    const loaded = lookup.writable.length + lookup.readonly.length;
    if (loaded === 0) fail();
    keyCount += loaded;
  }
  if (keyCount > MAX_ACCOUNT_KEYS) fail();
  for (const instruction of message.instructions) {
    if (instruction.programIndex === 0 || instruction.programIndex >= staticKeys.length) fail();
    if (instruction.accounts.some((index) => index >= keyCount)) fail();
  }
}

/**
 * Decodes and validates a message without signatures, as `getFeeForMessage` takes it.
 * @throws {WireError}
 */
export function decodeMessage(bytes: Uint8Array): WireMessage {
  const reader = new Reader(bytes);
  const message = readMessage(reader);
  if (reader.offset !== bytes.length) throw new WireError('malformed', 'trailing bytes');
  sanitize(message);
  return message;
}

/**
 * Decodes and validates a signed transaction, legacy or v0. Malformed bytes make the native runtime abort
 * the process, so give it only bytes that passed this function.
 * @throws {WireError}
 */
export function decodeTransaction(raw: Uint8Array): WireTransaction {
  const reader = new Reader(raw);
  const signatures = reader.list(() => bs58.encode(reader.take(SIGNATURE_BYTES)));
  const message = readMessage(reader);
  if (reader.offset !== raw.length) throw new WireError('malformed', 'trailing bytes');
  sanitize(message);
  if (signatures.length !== message.requiredSignatures) {
    throw new WireError('unsanitary', 'Transaction failed to sanitize accounts offsets correctly');
  }
  return { signatures, message, raw };
}

/** Prefixes a message with empty signatures so that the runtime can price it. */
export function withEmptySignatures(message: Uint8Array, count: number): Uint8Array {
  const raw = new Uint8Array(1 + count * SIGNATURE_BYTES + message.length);
  raw[0] = count;
  raw.set(message, 1 + count * SIGNATURE_BYTES);
  return raw;
}

/** True if a static key is writable. (Lookup tables list writable and read-only keys separately.) */
export function isStaticKeyWritable(message: WireMessage, index: number): boolean {
  if (index < message.requiredSignatures) {
    return index < message.requiredSignatures - message.readonlySigned;
  }
  return index < message.staticKeys.length - message.readonlyUnsigned;
}
