import { fromBase64Url, toBase64Url } from '#worker/shared/base64.ts';

const CURVE = { name: 'ECDH', namedCurve: 'P-256' } as const;
/** The first byte of a public key, before x and y. */
const UNCOMPRESSED = 4;
const SALT_BYTES = 16;
const KEY_AT = 21;
const LAST_RECORD = 2;

interface KeyPair {
  readonly publicKey: CryptoKey;
  readonly privateKey: CryptoKey;
}

interface Point {
  readonly x: string;
  readonly y: string;
}

/** A browser's subscription at a push service. */
export interface Browser {
  /** In base64url. */
  readonly keys: { readonly p256dh: string; readonly auth: string };
  /** Decrypts a message (RFC 8291, with the content coding of RFC 8188). @throws if anything is wrong */
  decrypt(body: Uint8Array<ArrayBuffer>): Promise<string>;
}

export async function openBrowser(): Promise<Browser> {
  const pair = (await crypto.subtle.generateKey(CURVE, true, ['deriveBits'])) as KeyPair;
  return createBrowser(pair, crypto.getRandomValues(new Uint8Array(SALT_BYTES)));
}

export async function createBrowser({ publicKey, privateKey }: KeyPair, auth: Uint8Array): Promise<Browser> {
  const { x, y } = (await crypto.subtle.exportKey('jwk', publicKey)) as Point;
  const own = Uint8Array.of(UNCOMPRESSED, ...fromBase64Url(x), ...fromBase64Url(y));
  return {
    keys: { p256dh: toBase64Url(own), auth: toBase64Url(auth) },
    async decrypt(body) {
      const recordAt = KEY_AT + (body[KEY_AT - 1] ?? 0);
      const [salt, sender] = [body.subarray(0, SALT_BYTES), body.subarray(KEY_AT, recordAt)];
      const record = body.subarray(recordAt);
      if (record.length > new DataView(body.buffer, body.byteOffset).getUint32(SALT_BYTES)) {
        throw new Error('A push message has one record');
      }
      // The runtime's types name the parameter `$public`.
      const exchange = {
        name: 'ECDH',
        public: await crypto.subtle.importKey('raw', sender, CURVE, false, []),
      };
      const shared = new Uint8Array(await crypto.subtle.deriveBits(exchange, privateKey, 256));
      const keyInfo = [...bytesOf('WebPush: info\0'), ...own, ...sender];
      const from = await derive({ salt: auth, from: shared, info: Uint8Array.from(keyInfo), length: 32 });
      const deriveFor = (use: string, length: number) =>
        derive({ salt, from, info: bytesOf(`Content-Encoding: ${use}\0`), length });
      const [keyBytes, iv] = [await deriveFor('aes128gcm', 16), await deriveFor('nonce', 12)];
      const key = await crypto.subtle.importKey('raw', keyBytes, 'AES-GCM', false, ['decrypt']);
      const padded = new Uint8Array(await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, record));
      const end = padded.findLastIndex((byte) => byte !== 0);
      if (padded[end] !== LAST_RECORD) throw new Error('The padding is wrong');
      return new TextDecoder().decode(padded.subarray(0, end));
    },
  };
}

const bytesOf = (text: string) => new TextEncoder().encode(text);

interface Derivation {
  readonly salt: Uint8Array;
  readonly from: Uint8Array;
  readonly info: Uint8Array;
  readonly length: number;
}

/** HKDF. */
async function derive({ salt, from, info, length }: Derivation): Promise<Uint8Array<ArrayBuffer>> {
  const key = await crypto.subtle.importKey('raw', from, 'HKDF', false, ['deriveBits']);
  const bits = await crypto.subtle.deriveBits({ name: 'HKDF', hash: 'SHA-256', salt, info }, key, length * 8);
  return new Uint8Array(bits);
}
