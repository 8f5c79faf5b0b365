import { isSignedBy } from '../../shared/ed25519.ts';
import { COSIGNS, readVerifierKey, signaturesOf, type NoteKey } from './signed-note.ts';

const TIME_BYTES = 8;
const SIGNATURE_BYTES = 64;

export interface Witness extends NoteKey {
  readonly url: string;
}

/** Reads `{verifier key} {url}`, separated by commas or line breaks. @throws if one of them is malformed */
export function readWitnesses(text: string): Witness[] {
  const lines = text.split(/[\n,]/).map((line) => line.trim());
  return lines.filter((line) => line !== '').map(readWitness);
}

function readWitness(line: string): Witness {
  const [, verifierKey = '', url] = /^(\S+) (https?:\/\/\S+?)\/?$/.exec(line) ?? [];
  if (url === undefined) throw new Error(`Not a witness: ${line}`);
  return { ...readVerifierKey(verifierKey, COSIGNS), url };
}

/**
 * Finds this witness's cosignature among the lines of a response.
 * @param text the checkpoint's text, without signatures
 * @returns the cosignature's line; null if it's missing or wrong
 */
export function findCosignature(response: string, text: string, witness: NoteKey): string | null {
  const own = signaturesOf(response.split('\n'), witness);
  const areRight = own.every(({ signature }) => isCosigned(text, signature, witness));
  return areRight ? (own[0]?.line ?? null) : null;
}

/** Returns the text that a timestamped cosignature signs (https://c2sp.org/tlog-cosignature). */
export const cosignedText = (text: string, unixSeconds: bigint): Uint8Array =>
  new TextEncoder().encode(`cosignature/v1\ntime ${unixSeconds}\n${text}`);

function isCosigned(text: string, bytes: Uint8Array<ArrayBuffer>, { publicKey }: NoteKey): boolean {
  if (bytes.length !== TIME_BYTES + SIGNATURE_BYTES) return false;
  const time = new DataView(bytes.buffer).getBigUint64(0);
  const message = cosignedText(text, time);
  return time > 0n && isSignedBy({ message, signature: bytes.slice(TIME_BYTES), publicKey });
}
