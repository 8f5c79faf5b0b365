import { ed25519 } from '@noble/curves/ed25519';
import { expect, it } from 'vitest';
import { isSignedBy } from './ed25519.ts';

const secretKey = new Uint8Array(32).fill(7);
const publicKey = ed25519.getPublicKey(secretKey);
const message = new TextEncoder().encode('signed message');
const signature = ed25519.sign(message, secretKey);
/** The identity point. With it as key and as R, and with S = 0, a signature is valid for every message. */
const neutral = Uint8Array.from([1, ...new Uint8Array(31)]);

it('isSignedBy accepts a signature of the message by this key', () => {
  expect(isSignedBy({ message, signature, publicKey })).toBe(true);
});

/** A copy with the group order added to S, so that it's valid for the same key and message. */
function addGroupOrder(bytes: Uint8Array): Uint8Array {
  const order = 2n ** 252n + 27742317777372353535851937790883648493n;
  const scalar = bytes.slice(32).reduceRight((sum, byte) => sum * 256n + BigInt(byte), 0n) + order;
  return bytes.map((byte, at) => (at < 32 ? byte : Number((scalar >> BigInt(8 * (at - 32))) & 255n)));
}

it.each([
  ['on another message', { message: new TextEncoder().encode('another message') }],
  ['of another key', { publicKey: ed25519.getPublicKey(new Uint8Array(32).fill(8)) }],
  [
    'with a changed bit',
    { signature: Uint8Array.from([...signature.slice(0, 63), (signature[63] ?? 0) ^ 1]) },
  ],
  ['that is a byte short', { signature: signature.slice(0, 63) }],
  ['that is a byte long', { signature: Uint8Array.from([...signature, 0]) }],
  ['that is malleable', { signature: addGroupOrder(signature) }],
  ['that is empty', { signature: new Uint8Array() }],
  ['of zeros', { signature: new Uint8Array(64) }],
  ['by a key that is a byte short', { publicKey: publicKey.slice(0, 31) }],
  ['by an empty key', { publicKey: new Uint8Array() }],
  [
    'that is valid for every message, by a key of small order',
    { signature: Uint8Array.from([...neutral, ...new Uint8Array(32)]), publicKey: neutral },
  ],
  [
    'that is valid for every message, by the address of the System Program as key',
    { signature: new Uint8Array(64).with(0, 1), publicKey: new Uint8Array(32) },
  ],
])('isSignedBy rejects a signature %s', (_name, change) => {
  expect(isSignedBy({ message, signature, publicKey, ...change })).toBe(false);
});
