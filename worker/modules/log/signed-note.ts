import { fromBase64, toBase64 } from '../../shared/base64.ts';
import { sha256 } from '../../shared/sha256.ts';

// https://c2sp.org/signed-note and https://c2sp.org/tlog-cosignature

export const SIGNS_NOTES = 1;
export const COSIGNS = 4;
const KEY_BYTES = 33;
const ID_BYTES = 4;
const LINE = /^— ([^\s+]+) ((?:[A-Za-z\d+/]{4})+(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?)$/;

export interface NoteKey {
  readonly name: string;
  readonly id: Uint8Array;
  readonly publicKey: Uint8Array;
  readonly verifierKey: string;
}

export function describeKey(name: string, publicKey: Uint8Array, type = SIGNS_NOTES): NoteKey {
  const key = new Uint8Array([type, ...publicKey]);
  const id = fromBase64(sha256(`${name}\n`, key)).slice(0, ID_BYTES);
  const hexId = Array.from(id, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return { name, id, publicKey, verifierKey: `${name}+${hexId}+${toBase64(key)}` };
}

/** @throws unless it's an Ed25519 key of this type with the right id */
export function readVerifierKey(text: string, type: number): NoteKey {
  const [, name = '', encoded = ''] = /^([^\s+]+)\+[\da-f]{8}\+(\S+)$/.exec(text) ?? [];
  const bytes = fromBase64(encoded);
  const key = describeKey(name, bytes.slice(1), type);
  if (bytes.length !== KEY_BYTES || key.verifierKey !== text) {
    throw new Error(`Not a verifier key of type ${type}: ${text}`);
  }
  return key;
}

export const signatureLine = ({ name, id }: NoteKey, signature: Uint8Array): string =>
  `— ${name} ${toBase64(new Uint8Array([...id, ...signature]))}`;

export const isSignatureLine = (line: string): boolean => LINE.test(line);

export function signaturesOf(lines: readonly string[], { name, id }: NoteKey) {
  return lines.flatMap((line) => {
    const [, signer, encoded = ''] = LINE.exec(line) ?? [];
    const bytes = fromBase64(encoded);
    const isOwn = signer === name && toBase64(bytes.slice(0, ID_BYTES)) === toBase64(id);
    return isOwn ? [{ line, signature: bytes.slice(ID_BYTES) }] : [];
  });
}
