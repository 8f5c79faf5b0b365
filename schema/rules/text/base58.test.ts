import bs58 from 'bs58';
import { expect, it } from 'vitest';
import { isPublicKey, isSignature } from './base58.ts';

const encoded = (bytes: number, value: number) => bs58.encode(new Uint8Array(bytes).fill(value));

it.each([0, 9, 255])(
  'base58 of 32 bytes is a public key, and of 64 bytes a signature (every byte is %i)',
  (value) => {
    expect([31, 32, 33].map((bytes) => isPublicKey(encoded(bytes, value)))).toEqual([false, true, false]);
    expect([63, 64, 65].map((bytes) => isSignature(encoded(bytes, value)))).toEqual([false, true, false]);
  },
);

it.each(['', 'short', 'z'.repeat(44), 'z'.repeat(88), '0OIl'.repeat(10), '1'.repeat(1_000_000)])(
  'a text of a wrong length or with a wrong character is no base58 key or signature (case %#)',
  (text) => {
    expect([isPublicKey(text), isSignature(text)]).toEqual([false, false]);
  },
);
