import { VERSION_1_MESSAGE_PREFIX, VersionedMessage, VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';

/** The largest version 1 transaction. */
export const MAX_TRANSACTION_BYTES = 4096;
/** Legacy and version 0 transactions must fit into one network packet. */
const MAX_PACKET_BYTES = 1232;

const MAX_ACCOUNT_KEYS = 256;
/** SIMD-0385's limits for version 1. */
const MAX_VERSION_1 = { signatures: 12, accountKeys: 64, instructions: 64 };
const UNSANITARY = 'Transaction failed to sanitize accounts offsets correctly';

export interface WireTransaction {
  /** Base58. The first signature identifies the transaction. */
  signatures: string[];
  message: VersionedMessage;
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

/** The largest size of a transaction or message that begins with these bytes. */
export const sizeLimitOf = (raw: Uint8Array): number =>
  raw[0] === VERSION_1_MESSAGE_PREFIX ? MAX_TRANSACTION_BYTES : MAX_PACKET_BYTES;

/**
 * Decodes bytes in their canonical encoding. A cluster refuses other encodings, such as trailing bytes, but web3.js
 * accepts them. Version 1 has only one encoding, and web3.js can't encode it, so it isn't compared.
 */
function decodeCanonical<T extends { serialize(): Uint8Array }>(
  raw: Uint8Array,
  decode: (raw: Uint8Array) => T,
): T {
  let decoded: T;
  let canonical: Uint8Array;
  try {
    decoded = decode(raw);
    canonical = raw[0] === VERSION_1_MESSAGE_PREFIX ? raw : decoded.serialize();
  } catch {
    throw new WireError('malformed', 'io error: unexpected end of file');
  }
  if (Buffer.compare(canonical, raw) !== 0) throw new WireError('malformed', 'invalid encoding');
  return decoded;
}

function sanitize(message: VersionedMessage): void {
  const { staticAccountKeys, addressTableLookups, compiledInstructions, header } = message;
  const { numRequiredSignatures, numReadonlySignedAccounts, numReadonlyUnsignedAccounts } = header;
  const loaded = addressTableLookups.map(
    ({ writableIndexes, readonlyIndexes }) => writableIndexes.length + readonlyIndexes.length,
  );
  const keyCount = loaded.reduce((sum, count) => sum + count, staticAccountKeys.length);
  const isSane =
    numRequiredSignatures + numReadonlyUnsignedAccounts <= staticAccountKeys.length &&
    numReadonlySignedAccounts < numRequiredSignatures &&
    loaded.every((count) => count > 0) &&
    keyCount <= MAX_ACCOUNT_KEYS &&
    compiledInstructions.every(
      ({ programIdIndex, accountKeyIndexes }) =>
        programIdIndex > 0 &&
        programIdIndex < staticAccountKeys.length &&
        accountKeyIndexes.every((index) => index < keyCount),
    );
  if (!isSane || exceedsVersion1(message)) throw new WireError('unsanitary', UNSANITARY);
}

function exceedsVersion1({ version, header, staticAccountKeys, compiledInstructions }: VersionedMessage) {
  if (version !== 1) return false;
  return (
    header.numRequiredSignatures > MAX_VERSION_1.signatures ||
    staticAccountKeys.length > MAX_VERSION_1.accountKeys ||
    compiledInstructions.length > MAX_VERSION_1.instructions ||
    new Set(staticAccountKeys.map(String)).size < staticAccountKeys.length
  );
}

/**
 * Decodes and validates a message without signatures, as `getFeeForMessage` takes it, and adds empty signatures.
 * @throws {WireError}
 */
export function decodeMessage(bytes: Uint8Array): WireTransaction {
  const message = decodeCanonical(bytes, (raw) => VersionedMessage.deserialize(raw));
  sanitize(message);
  const { signatures } = new VersionedTransaction(message);
  const raw =
    message.version === 1
      ? Buffer.concat([bytes, ...signatures])
      : Buffer.concat([Buffer.from([signatures.length]), ...signatures, bytes]);
  return { signatures: signatures.map((signature) => bs58.encode(signature)), message, raw };
}

/**
 * Decodes and validates a signed transaction. Malformed bytes make the native runtime abort
 * the process, so give it only bytes that passed this function.
 * @throws {WireError}
 */
export function decodeTransaction(raw: Uint8Array): WireTransaction {
  const { message, signatures } = decodeCanonical(raw, (bytes) => VersionedTransaction.deserialize(bytes));
  sanitize(message);
  return { signatures: signatures.map((signature) => bs58.encode(signature)), message, raw };
}
