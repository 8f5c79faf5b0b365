import bs58 from 'bs58';
import { describe, expect, it } from 'vitest';
import { isPublicKey, isSignature } from './base58.ts';

const encoded = (bytes: number, value: number) => bs58.encode(new Uint8Array(bytes).fill(value));

describe('base58', () => {
  it.each([0, 9, 255])('with 32 bytes is a public key, with 64 bytes a signature (bytes of %i)', (value) => {
    expect([31, 32, 33].map((bytes) => isPublicKey(encoded(bytes, value)))).toEqual([false, true, false]);
    expect([63, 64, 65].map((bytes) => isSignature(encoded(bytes, value)))).toEqual([false, true, false]);
  });

  it.each(['', 'short', 'z'.repeat(44), 'z'.repeat(88), '0OIl'.repeat(10), '1'.repeat(1_000_000)])(
    'is neither if it decodes to another length or not at all',
    (text) => {
      expect([isPublicKey(text), isSignature(text)]).toEqual([false, false]);
    },
  );
});
