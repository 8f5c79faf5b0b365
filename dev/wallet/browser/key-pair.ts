import bs58 from 'bs58';

const ALGORITHM = 'Ed25519';

export interface KeyPair {
  readonly address: string;
  readonly publicKey: Uint8Array;
  sign(bytes: Uint8Array): Promise<Uint8Array>;
  /**
   * The key pair as text, for {@link restoreKeyPair}. This is unsafe, so a real wallet never exports it.
   */
  readonly exported: string;
}

export async function createKeyPair(): Promise<KeyPair> {
  const pair = await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  if (!('privateKey' in pair)) throw new Error('This browser cannot create Ed25519 keys.');
  const { x, d } = await crypto.subtle.exportKey('jwk', pair.privateKey);
  return restoreKeyPair(JSON.stringify({ x, d }));
}

/** @throws if the text isn't an exported key pair */
export async function restoreKeyPair(exported: string): Promise<KeyPair> {
  const parts: unknown = JSON.parse(exported);
  if (typeof parts !== 'object' || parts === null || !('x' in parts) || !('d' in parts)) {
    throw new Error('The stored text is not a key pair.');
  }
  const { x, d } = parts;
  if (typeof x !== 'string' || typeof d !== 'string') throw new Error('The stored text is not a key pair.');
  const key = await crypto.subtle.importKey('jwk', { kty: 'OKP', crv: ALGORITHM, x, d }, ALGORITHM, false, [
    'sign',
  ]);
  const publicKey = fromBase64Url(x);
  return {
    address: bs58.encode(publicKey),
    publicKey,
    exported,
    async sign(bytes) {
      return new Uint8Array(await crypto.subtle.sign(ALGORITHM, key, new Uint8Array(bytes)));
    },
  };
}

function fromBase64Url(text: string): Uint8Array {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
