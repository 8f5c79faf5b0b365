import { fromBase64, isSame, sha256, utf8, type Bytes } from './bytes.ts';
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
  readonly id: Bytes;
  readonly key: CryptoKey;
}

/**
 * Reads `{name}+{id in hex}+{base64}`. @throws Problem if the id isn't the key's, or if the type is another
 * one
 */
export async function readVerifierKey(line: string, type = SIGNS_NOTES): Promise<VerifierKey> {
  const text = line.trim();
  const [, name, hexId, encoded] = /^([^+\s]+)\+([0-9a-f]{8})\+(\S+)$/.exec(text) ?? [];
  const bytes = encoded === undefined ? utf8('') : fromBase64(encoded);
  if (name === undefined || bytes[0] !== type || bytes.length !== 33) {
    const shown = text.slice(0, 100);
    throw new Problem('wrong_key', `This isn't an Ed25519 verifier key of type ${type}: ${shown}`);
  }
  const id = (await sha256(utf8(`${name}\n`), bytes)).slice(0, ID_BYTES);
  if ([...id].map((byte) => byte.toString(16).padStart(2, '0')).join('') !== hexId) {
    throw new Problem('wrong_key', "The key's id isn't the hash of its name and key.");
  }
  const importing = crypto.subtle.importKey('raw', bytes.slice(1), 'Ed25519', false, ['verify']);
  const key = await importing.catch(() => {
    throw new Problem('wrong_key', "This browser can't use the key. Browsers know Ed25519 keys since 2025.");
  });
  return { text, name, id, key };
}

/** Returns a note's text, and the signatures with this key's name and id. */
function readNote(note: string, { name, id }: VerifierKey): { text: string; own: Bytes[] } {
  const end = note.lastIndexOf('\n\n') + 1;
  const lines = note.slice(end + 1).split('\n');
  // oxlint-disable-next-line no-control-regex -- the format forbids these characters
  if (end === 0 || lines.pop() !== '' || /[\u0000-\u0009\u000b-\u001f]/.test(note)) {
    throw new Problem('malformed', "This isn't a signed note.");
  }
  const own = lines.flatMap((line) => {
    const [, signer, encoded] = /^— ([^\s+]+) (\S+)$/.exec(line) ?? [];
    if (signer === undefined) throw new Problem('malformed', 'A signature line of a note is malformed.');
    const bytes = fromBase64(encoded);
    return signer === name && isSame(bytes.slice(0, ID_BYTES), id) ? [bytes.slice(ID_BYTES)] : [];
  });
  return { text: note.slice(0, end), own };
}

/** @throws Problem if the signature is wrong */
async function checkSignature({ name, key }: VerifierKey, signature: Bytes, text: string): Promise<void> {
  if (await crypto.subtle.verify('Ed25519', key, signature, utf8(text))) return;
  throw new Problem('bad_signature', `The signature of ${name} is wrong.`);
}

/** Returns a note's text. @throws Problem unless this key has signed it */
export async function openNote(note: string, key: VerifierKey): Promise<string> {
  const { text, own } = readNote(note, key);
  if (own.length === 0) {
    throw new Problem('bad_signature', `There is no signature of the key of ${key.name}.`);
  }
  for (const signature of own) await checkSignature(key, signature, text);
  return text;
}

/** True if this witness has cosigned a checkpoint. @throws Problem if its signature is wrong */
export async function isCosigned(note: string, witness: VerifierKey): Promise<boolean> {
  const { text, own } = readNote(note, witness);
  for (const bytes of own) {
    if (bytes.length < TIME_BYTES) {
      throw new Problem('malformed', `A cosignature of ${witness.name} is too short.`);
    }
    const time = new DataView(bytes.buffer).getBigUint64(0);
    await checkSignature(witness, bytes.slice(TIME_BYTES), `cosignature/v1\ntime ${time}\n${text}`);
  }
  return own.length > 0;
}

export interface Checkpoint {
  readonly size: number;
  readonly root: Bytes;
}

const readSize = (text: string | undefined): number => {
  if (text === undefined || !/^(0|[1-9]\d{0,8})$/.test(text)) {
    throw new Problem('malformed', `This isn't a number of entries: ${text}`);
  }
  return Number(text);
};

/** @throws Problem unless this key has signed a checkpoint of its own log */
export async function openCheckpoint(note: string, key: VerifierKey): Promise<Checkpoint> {
  const [origin, size, root] = (await openNote(note, key)).split('\n');
  if (origin !== key.name) throw new Problem('bad_signature', 'The checkpoint is of another log.');
  return { size: readSize(size), root: fromBase64(root) };
}

export interface Receipt {
  readonly index: number;
  readonly caller: string;
  /** The entry's commitment, or for the end of a call SHA-256 of the content in base64. */
  readonly content: string;
  readonly time: number;
}

const RECEIPT = /^(.+)\/receipt\nentry (\S+)\ncaller (\S+)\ncontent (\S+)\ntime (\d+)\n/;

/** @throws Problem unless this key has signed a receipt of its own log */
export async function openReceipt(note: string, key: VerifierKey): Promise<Receipt> {
  const [, name, index, caller = '', content = '', time] = RECEIPT.exec(await openNote(note, key)) ?? [];
  if (name !== key.name) throw new Problem('malformed', "This isn't a receipt of this log.");
  return { index: readSize(index), caller, content, time: Number(time) };
}
