import { fromBase64, sha256, utf8, type Bytes } from './bytes.ts';
import { Problem } from './report.ts';

// https://c2sp.org/signed-note, https://c2sp.org/tlog-checkpoint and https://c2sp.org/tlog-cosignature

/** Key types of signed-note: 1 signs notes, 4 cosigns checkpoints. */
const SIGNS_NOTES = 1;
export const COSIGNS = 4;
const ID_BYTES = 4;
const TIME_BYTES = 8;

export interface VerifierKey {
  readonly text: string;
  readonly name: string;
  readonly id: string;
  readonly key: CryptoKey;
}

const hex = (bytes: Uint8Array) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** Reads `{name}+{id in hex}+{base64}`. @throws Problem if the id isn't the key's, or if the type is another one */
export async function readVerifierKey(line: string, type = SIGNS_NOTES): Promise<VerifierKey> {
  const text = line.trim();
  const [, name = '', id, encoded] = /^([^+\s]+)\+([0-9a-f]{8})\+(\S+)$/.exec(text) ?? [];
  const bytes = encoded === undefined ? utf8('') : fromBase64(encoded);
  if (bytes[0] !== type || bytes.length !== 33) {
    throw new Problem('malformed', `This isn’t an Ed25519 verifier key: ${text.slice(0, 100)}`);
  }
  if (hex(sha256(utf8(`${name}\n`), bytes).slice(0, ID_BYTES)) !== id) {
    throw new Problem('malformed', 'A key’s id isn’t the hash of its name and key.');
  }
  const key = await crypto.subtle.importKey('raw', bytes.slice(1), 'Ed25519', false, ['verify']);
  return { text, name, id, key };
}

export const isSignedBy = ({ key }: VerifierKey, signature: Bytes, text: string): Promise<boolean> =>
  crypto.subtle.verify('Ed25519', key, signature, utf8(text));

/** Returns a note's text, and the signatures with this key's name and id. */
function readNote(note: string, { name, id }: VerifierKey): { text: string; own: Bytes[] } {
  const end = note.lastIndexOf('\n\n') + 1;
  const lines = note.slice(end + 1).split('\n');
  // oxlint-disable-next-line no-control-regex -- the format forbids these characters
  if (end === 0 || lines.pop() !== '' || /[\u0000-\u0009\u000b-\u001f]/.test(note)) {
    throw new Problem('malformed', 'This isn’t a signed note.');
  }
  const own = lines.flatMap((line) => {
    const [, signer, encoded] = /^— ([^\s+]+) (\S+)$/.exec(line) ?? [];
    if (signer === undefined) throw new Problem('malformed', 'A signature line of a note is malformed.');
    const bytes = fromBase64(encoded);
    return signer === name && hex(bytes.slice(0, ID_BYTES)) === id ? [bytes.slice(ID_BYTES)] : [];
  });
  return { text: note.slice(0, end), own };
}

export interface Checkpoint {
  readonly size: number;
  /** In base64. */
  readonly root: string;
}

/** @throws Problem unless this key has signed a checkpoint of its own log */
export async function openCheckpoint(note: string, key: VerifierKey): Promise<Checkpoint> {
  const { text, own } = readNote(note, key);
  const results = await Promise.all(own.map((signature) => isSignedBy(key, signature, text)));
  if (own.length === 0 || results.includes(false)) {
    throw new Problem('signature_wrong', `The checkpoint isn’t signed by the key of ${key.name}.`);
  }
  const [origin, size = '', root = ''] = text.split('\n');
  if (origin !== key.name) throw new Problem('signature_wrong', 'The checkpoint is of another log.');
  if (!/^(0|[1-9]\d{0,8})$/.test(size) || fromBase64(root).length !== 32) {
    throw new Problem('malformed', 'The checkpoint isn’t what the format describes.');
  }
  return { size: Number(size), root };
}

/** True if this witness has cosigned a checkpoint. @throws Problem if its signature is wrong */
export async function isCosigned(note: string, witness: VerifierKey): Promise<boolean> {
  const { text, own } = readNote(note, witness);
  for (const bytes of own) {
    const time = BigInt(`0x0${hex(bytes.slice(0, TIME_BYTES))}`);
    const cosigned = `cosignature/v1\ntime ${time}\n${text}`;
    if (await isSignedBy(witness, bytes.slice(TIME_BYTES), cosigned)) continue;
    throw new Problem('signature_wrong', `The cosignature of ${witness.name} is wrong.`);
  }
  return own.length > 0;
}
