import { createHash, createPrivateKey, createPublicKey, sign, type KeyObject } from 'node:crypto';

export const sha256 = (...parts: (Uint8Array | string)[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

export interface Signer {
  readonly name: string;
  readonly key: KeyObject;
  readonly id: Buffer;
  /** The signer's verifier key. */
  readonly line: string;
}

/** Creates a signer from a seed of one byte. The type is 1 for notes and 4 for cosignatures. */
export function createSigner(name: string, seed: number, type = 1): Signer {
  const prefix = Buffer.from('302e020100300506032b657004220420', 'hex');
  const der = Buffer.concat([prefix, Buffer.alloc(32, seed)]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const raw = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32);
  const typed = Buffer.concat([Buffer.of(type), raw]);
  const id = sha256(`${name}\n`, typed).subarray(0, 4);
  return { name, key, id, line: `${name}+${id.toString('hex')}+${typed.toString('base64')}` };
}

export const signText = (text: string, { key }: Signer): Buffer => sign(null, Buffer.from(text), key);

export const signNote = (text: string, signer: Signer): string =>
  `${text}\n— ${signer.name} ${Buffer.concat([signer.id, signText(text, signer)]).toString('base64')}\n`;

/** A witness's signature line for a checkpoint. */
export function cosign(note: string, witness: Signer, unixSeconds: number): string {
  const time = Buffer.alloc(8);
  time.writeBigUInt64BE(BigInt(unixSeconds));
  const text = note.slice(0, note.indexOf('\n\n') + 1);
  const signature = signText(`cosignature/v1\ntime ${unixSeconds}\n${text}`, witness);
  return `— ${witness.name} ${Buffer.concat([witness.id, time, signature]).toString('base64')}\n`;
}
