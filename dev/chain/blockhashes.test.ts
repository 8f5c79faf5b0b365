import { expect, test } from 'vitest';
import { createBlockhashes } from './blockhashes.ts';

test('findRecent finds a recent blockhash from before a restart, but no older one', () => {
  const before = createBlockhashes('seed');
  const after = createBlockhashes('seed');
  for (let offset = 0; offset < 5000; offset += 1) {
    after.ofHeight(1_000_000 + offset);
    if (offset % 50 === 0) {
      const height = 10_000 + offset;
      expect(after.findRecent(before.ofHeight(height), height + 149)).toBe(height);
      expect(after.findRecent(before.ofHeight(height), height + 151)).toBeUndefined();
      expect(after.findRecent(before.ofHeight(height + 1), height)).toBeUndefined();
    }
  }
});

test('findRecent does not find the blockhash of another ledger', () => {
  const hash = createBlockhashes('one').ofHeight(5);
  expect(createBlockhashes('two').findRecent(hash, 5)).toBeUndefined();
});
