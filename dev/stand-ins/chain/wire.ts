import { VersionedMessage, VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';

/** A cluster sends each transaction in one network packet of at most this size. */
export const MAX_TRANSACTION_BYTES = 1232;

const MAX_ACCOUNT_KEYS = 256;
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

/** Decodes bytes whose encoding is canonical. A cluster refuses others, such as trailing bytes; web3.js accepts them. */
function decodeCanonical<T extends { serialize(): Uint8Array }>(
  raw: Uint8Array,
  decode: (raw: Uint8Array) => T,
): T {
  let decoded: T;
  let canonical: Uint8Array;
  try {
    decoded = decode(raw);
    canonical = decoded.serialize();
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
  if (!isSane) throw new WireError('unsanitary', UNSANITARY);
}

/**
 * Decodes and validates a message without signatures, as `getFeeForMessage` takes it.
 * @throws {WireError}
 */
export function decodeMessage(bytes: Uint8Array): VersionedMessage {
  const message = decodeCanonical(bytes, (raw) => VersionedMessage.deserialize(raw));
  sanitize(message);
  return message;
}

/**
 * Decodes and validates a signed transaction, legacy or v0. Malformed bytes make the native runtime abort
 * the process, so give it only bytes that passed this function.
 * @throws {WireError}
 */
export function decodeTransaction(raw: Uint8Array): WireTransaction {
  const { message, signatures } = decodeCanonical(raw, (bytes) => VersionedTransaction.deserialize(bytes));
  sanitize(message);
  return { signatures: signatures.map((signature) => bs58.encode(signature)), message, raw };
}
