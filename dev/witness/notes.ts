import { ed25519 } from '@noble/curves/ed25519';
import {
  COSIGNS,
  describeKey,
  isSignatureLine,
  signatureLine,
  signaturesOf,
  type NoteKey,
} from '#worker/modules/log/signed-note.ts';
import { cosignedText } from '#worker/modules/log/witness-key.ts';
import { isSignedBy } from '#worker/shared/ed25519.ts';

// https://c2sp.org/tlog-checkpoint and https://c2sp.org/tlog-cosignature

const TIME_BYTES = 8;
/** A note's signature and ours, and some more. */
const MAX_SIGNATURES = 64;

interface SecretKey {
  readonly name: string;
  readonly seed: Buffer;
}

/** Describes the public key. `type` is the signature's type. */
export const keyOf = ({ name, seed }: SecretKey, type: number): NoteKey =>
  describeKey(name, ed25519.getPublicKey(seed), type);

export interface Checkpoint {
  /** The signed text. */
  readonly text: string;
  readonly origin: string;
  readonly size: number;
  /** Base64. */
  readonly root: string;
  /** Its signatures. */
  readonly lines: readonly string[];
}

/** Reads a decimal without leading zeroes. Undefined if it isn't one, or is too large. */
export function readSize(text: string | undefined): number | undefined {
  const size = text !== undefined && /^(?:0|[1-9]\d{0,15})$/.test(text) ? Number(text) : NaN;
  return Number.isSafeInteger(size) ? size : undefined;
}

/** True if the text is base64 of 32 bytes. */
export const isHash = (text: string): boolean => /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/.test(text);

/** Undefined if it isn't a checkpoint. */
export function readCheckpoint(note: string): Checkpoint | undefined {
  const end = note.lastIndexOf('\n\n') + 1;
  const lines = note.slice(end + 1).split('\n');
  // oxlint-disable-next-line no-control-regex -- the format forbids these characters
  if (end === 0 || lines.pop() !== '' || /[\u0000-\u0009\u000b-\u001f]/.test(note)) return undefined;
  const text = note.slice(0, end);
  const [origin = '', sizeLine, root = '', ...extensions] = text.split('\n').slice(0, -1);
  const size = readSize(sizeLine);
  const isMalformed =
    origin === '' ||
    size === undefined ||
    !isHash(root) ||
    extensions.includes('') ||
    lines.length === 0 ||
    lines.length > MAX_SIGNATURES ||
    !lines.every(isSignatureLine);
  return isMalformed ? undefined : { text, origin, size, root, lines };
}

/** Returns the line of this key's signature. Undefined if there is none, or if one is wrong. */
export function findSignature({ text, lines }: Checkpoint, key: NoteKey): string | undefined {
  const own = signaturesOf(lines, key);
  const message = Buffer.from(text);
  const areRight = own.every(({ signature }) => isSignedBy({ message, signature, publicKey: key.publicKey }));
  return areRight ? own[0]?.line : undefined;
}

/** Writes the line of a timestamped cosignature on a checkpoint's text. */
export function cosign(text: string, secret: SecretKey, unixSeconds: bigint): string {
  const time = Buffer.alloc(TIME_BYTES);
  time.writeBigUInt64BE(unixSeconds);
  const signature = ed25519.sign(cosignedText(text, unixSeconds), secret.seed);
  return signatureLine(keyOf(secret, COSIGNS), Buffer.concat([time, signature]));
}
