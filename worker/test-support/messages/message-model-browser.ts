import type { PushDeviceBody } from '#schema/contracts/push.ts';

/** A browser that gets notifications, with its keys. */
export interface Browser {
  readonly subscription: PushDeviceBody;
  /** Decrypts a notification as RFC 8291 says. @throws if it's for another browser */
  decrypt(body: Uint8Array): Promise<string>;
}

const CURVE = { name: 'ECDH', namedCurve: 'P-256' } as const;
const SALT_BYTES = 16;
const KEY_LENGTH_AT = 20;

const bytesOf = (text: string) => new TextEncoder().encode(text);
const toBase64Url = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

function join(...parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

interface Derivation {
  readonly salt: Uint8Array;
  readonly from: Uint8Array;
  readonly info: Uint8Array;
  readonly length: number;
}

async function derive({ salt, from, info, length }: Derivation): Promise<Uint8Array> {
  const key = await crypto.subtle.importKey('raw', from, 'HKDF', false, ['deriveBits']);
  return new Uint8Array(
    await crypto.subtle.deriveBits({ name: 'HKDF', hash: 'SHA-256', salt, info }, key, length * 8),
  );
}

export async function openBrowser(endpoint: string): Promise<Browser> {
  const keys = (await crypto.subtle.generateKey(CURVE, true, ['deriveBits'])) as CryptoKeyPair;
  const own = new Uint8Array((await crypto.subtle.exportKey('raw', keys.publicKey)) as ArrayBuffer);
  const auth = crypto.getRandomValues(new Uint8Array(SALT_BYTES));
  return {
    subscription: { endpoint, keys: { p256dh: toBase64Url(own), auth: toBase64Url(auth) } },
    async decrypt(body) {
      const [salt, keyLength = 0] = [body.subarray(0, SALT_BYTES), body[KEY_LENGTH_AT]];
      const recordAt = KEY_LENGTH_AT + 1 + keyLength;
      const sender = body.subarray(KEY_LENGTH_AT + 1, recordAt);
      const senderKey = await crypto.subtle.importKey('raw', sender, CURVE, false, []);
      // The runtime's types name the parameter `$public`.
      const exchange = { name: 'ECDH', public: senderKey };
      const secret = await crypto.subtle.deriveBits(exchange, keys.privateKey, 256);
      const info = join(bytesOf('WebPush: info\0'), own, sender);
      const from = await derive({ salt: auth, from: new Uint8Array(secret), info, length: 32 });
      const keyInfo = { info: bytesOf('Content-Encoding: aes128gcm\0'), length: 16 };
      const nonceInfo = { info: bytesOf('Content-Encoding: nonce\0'), length: 12 };
      const key = await crypto.subtle.importKey(
        'raw',
        await derive({ salt, from, ...keyInfo }),
        'AES-GCM',
        false,
        ['decrypt'],
      );
      const iv = await derive({ salt, from, ...nonceInfo });
      const padded = new Uint8Array(
        await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, body.subarray(recordAt)),
      );
      return new TextDecoder().decode(
        padded.subarray(
          0,
          padded.findLastIndex((byte) => byte !== 0),
        ),
      );
    },
  };
}
