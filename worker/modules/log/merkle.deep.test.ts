import { expect, it } from 'vitest';
import { sha256 } from '../../shared/sha256.ts';
import { auditPath, growTiles, leafHash, proofRanges, rangeHash, rootOf } from './merkle.ts';

it('a Merkle tree of 70,000 leaves has the audit paths of another implementation', () => {
  // The hash of the audit paths that @transmute/rfc9162 0.0.5 computes for these leaves, one per line.
  const leaves = Array.from({ length: 70_000 }, (_, index) => leafHash(`entry ${index}`));
  const tiles = growTiles({ size: 0, edge: new Map(), leaves });
  const whole = { start: 0, end: leaves.length };
  expect(rangeHash(whole, tiles)).toBe(rootOf(leaves));
  let paths = '';
  for (const index of [0, 255, 256, 32_767, 65_535, 65_536, 69_887, 69_888, 69_999]) {
    const path = auditPath(leaves, index);
    paths += `${path.join(' ')}\n`;
    const proof = proofRanges(whole, [index]).map((range) => rangeHash(range, tiles));
    expect(proof.toSorted()).toEqual(path.toSorted());
  }
  expect(sha256(paths)).toBe('03cpHLk78m2qrUtylluJPmWMM1ghlSU6ddfZ/pWPkFw=');
});

it('Merkle trees of up to 300 leaves, and of 400, 500 ... 1,000, prove their leaves', () => {
  const leaves = Array.from({ length: 1_000 }, (_, index) => leafHash(`entry ${index}`));
  const tiles = growTiles({ size: 0, edge: new Map(), leaves });
  for (let size = 1; size <= leaves.length; size += 1) {
    const part = leaves.slice(0, size);
    const root = rootOf(part);
    expect(rangeHash({ start: 0, end: size }, tiles)).toBe(root);
    if (size > 300 && size % 100 !== 0) continue;
    for (let index = size % 7; index < size; index += 7) {
      const proof = proofRanges({ start: 0, end: size }, [index]).map((range) => rangeHash(range, tiles));
      expect(proof.toSorted()).toEqual(auditPath(part, index).toSorted());
    }
  }
}, 600_000);
