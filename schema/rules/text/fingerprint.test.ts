import { expect, it } from 'vitest';
import { fingerprint } from './fingerprint.ts';

it('a fingerprint is short, stays the same, and differs between texts', () => {
  const texts = Array.from({ length: 10_000 }, (_, number) => `https://pbs.twimg.com/${number}.jpg`);
  expect(new Set(texts.map(fingerprint)).size).toBe(texts.length);
  expect(fingerprint('https://pbs.twimg.com/bücher.jpg')).toMatch(/^[a-z\d]{1,13}$/);
  // Published values of FNV-1a.
  expect(fingerprint('')).toBe(0xcbf29ce484222325n.toString(36));
  expect(fingerprint('a')).toBe(0xaf63dc4c8601ec8cn.toString(36));
});
