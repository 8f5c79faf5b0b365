import { ed25519 } from '@noble/curves/ed25519';
import { describe, expect, it } from 'vitest';
import { isSignedBy } from './ed25519.ts';

const secretKey = new Uint8Array(32).fill(7);
const publicKey = ed25519.getPublicKey(secretKey);
const message = new TextEncoder().encode('what was signed');
const signature = ed25519.sign(message, secretKey);
/** The identity point. Used as the key and as R, with S = 0, it gives a signature that fits every message. */
const neutral = Uint8Array.from([1, ...new Uint8Array(31)]);

describe('isSignedBy', () => {
  it('accepts the signature of the message by this key', () => {
    expect(isSignedBy({ message, signature, publicKey })).toBe(true);
  });

  it.each([
    ['on another message', { message: new TextEncoder().encode('what was not signed') }],
    ['of another key', { publicKey: ed25519.getPublicKey(new Uint8Array(32).fill(8)) }],
    [
      'with a changed bit',
      { signature: Uint8Array.from([...signature.slice(0, 63), (signature[63] ?? 0) ^ 1]) },
    ],
    ['that is a byte short', { signature: signature.slice(0, 63) }],
    ['that is a byte long', { signature: Uint8Array.from([...signature, 0]) }],
    ['that is empty', { signature: new Uint8Array() }],
    ['of zeros', { signature: new Uint8Array(64) }],
    ['by a key that is a byte short', { publicKey: publicKey.slice(0, 31) }],
    ['by an empty key', { publicKey: new Uint8Array() }],
    [
      'that fits every message, by a key of small order',
      { signature: Uint8Array.from([...neutral, ...new Uint8Array(32)]), publicKey: neutral },
    ],
  ])('rejects a signature %s', (_name, change) => {
    expect(isSignedBy({ message, signature, publicKey, ...change })).toBe(false);
  });
});
